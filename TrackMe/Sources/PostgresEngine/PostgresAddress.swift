import CPostgres
import SQLDatabase

/// Connection string of libpq, which may hold a password. Its description shows none of it.
public struct PostgresAddress: Sendable, CustomStringConvertible {
    let text: String
    /// Why the connection may be less safe than it could be; nil for one that is safe.
    public let warning: String?

    public var description: String { "a connection string" }

    /// - Throws: `DatabaseError` for a string that libpq cannot read, and for a server on another machine without a written
    ///   `sslmode`: the default of libpq takes a clear connection where it gets no other.
    public init(_ text: String) throws {
        guard let options = PQconninfoParse(text, nil) else {
            // The message of libpq would repeat a part of the string.
            throw DatabaseError(
                .other,
                "saw a text that is no connection string, expected host=… dbname=… user=…, or postgresql://…: see libpq's "
                    + "documentation, \"Connection Strings\"")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        let hosts = (values["host"] ?? values["hostaddr"] ?? "").split(separator: ",").map(String.init)
        let remote = hosts.filter { host in
            !host.hasPrefix("/") && !host.hasPrefix("@") && !["localhost", "127.0.0.1", "::1"].contains(host)
        }
        self.text = text
        let mode = values["sslmode"]
        guard let host = remote.first, mode != "verify-full" else {
            warning = nil
            return
        }
        guard let mode else {
            throw DatabaseError(
                .other,
                "saw the server \(host) without sslmode, expected sslmode=verify-full with sslrootcert=FILE: the data of "
                    + "persons would leave this machine over a connection that anybody can read or take over")
        }
        warning = "sslmode=\(mode) does not prove that \(host) is the server: use verify-full"
    }
}
