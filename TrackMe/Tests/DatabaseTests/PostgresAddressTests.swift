import PostgresEngine
import SQLDatabase
import Testing

/// Rules of the connection string.
struct PostgresAddressTests {
    @Test(arguments: [
        "dbname=trackme", "host=/run/postgresql dbname=trackme", "host=127.0.0.1 password=secret",
        "postgresql://trackme:secret@localhost/trackme",
        "host=db.example sslmode=verify-full sslrootcert=/etc/trackme/ca.pem",
        "host=a.example,b.example sslmode=verify-full target_session_attrs=read-write",
    ])
    func `is sound on this machine, and on another one with a proof`(_ text: String) throws {
        let address = try PostgresAddress(text)
        #expect(address.warning == nil)
        #expect("\(address)" == "a connection string")
    }

    @Test func `to another machine without a written sslmode is refused, with one it is warned of`() throws {
        for text in ["host=db.example password=secret", "postgresql://u:secret@10.0.0.7/trackme"] {
            let error = #expect(throws: DatabaseError.self) { try PostgresAddress(text) }
            #expect(error?.description.contains("sslmode=verify-full") == true)
            #expect(error?.description.contains("secret") == false)
        }
        #expect(try PostgresAddress("host=db.example sslmode=require").warning?.contains("db.example") == true)
    }

    @Test func `of another form is refused without a word of it`() {
        let error = #expect(throws: DatabaseError.self) { try PostgresAddress("secret and more") }
        #expect(error?.description.contains("secret") == false)
    }
}
