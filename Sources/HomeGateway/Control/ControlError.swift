/// Why the control socket could not be used; worded for whoever typed the command.
struct ControlError: Error, CustomStringConvertible, Sendable {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
