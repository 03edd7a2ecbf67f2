import PostgresEngine
import SQLDatabase
import SQLiteEngine
import Schema
import ServerSettings
import SettingsReading

extension ServerSettings {
    var databasePath: String { stateDirectory + "/trackme.sqlite" }

    /// Blocking I/O.
    func openDatabase() throws -> DatabasePool {
        let migrations = Schema.migrations
        if let file = databaseAddressFile {
            do {
                return try DatabasePool(postgres: try PostgresAddress(file.text()), migrations: migrations)
            } catch {
                throw ServerFault(
                    "url_file of [database], \(file): \(error). Check that the server runs and that the string is right"
                )
            }
        }
        do {
            return try DatabasePool(path: databasePath, migrations: migrations)
        } catch {
            throw ServerFault(
                "\(databasePath): \(error). Check that the directory exists and that this account may write there"
            )
        }
    }

    /// Claim of the work that one server at a time does.
    func databaseClaim() throws -> any DatabaseClaim {
        guard let file = databaseAddressFile else { return FileClaim(path: databasePath) }
        do { return PostgresClaim(try PostgresAddress(file.text())) } catch {
            throw ServerFault("url_file of [database], \(file): \(error). Check that the string is right")
        }
    }
}
