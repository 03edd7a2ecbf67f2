import ArgumentParser
import GatewayModel

/// Parser of arguments that are names. A wrong one is a usage error (exit code 64).
enum NameArgument {
    static func parse<ID: Name>(_ text: String) throws -> ID {
        guard let id = ID(text) else { throw ValidationError("'\(text)' is no id; expected \(ID.form)") }
        return id
    }
}
