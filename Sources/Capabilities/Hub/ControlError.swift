/// Why the control socket could not be used; worded for whoever typed the command.
package struct ControlError: Error, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
