/// Error at the control socket, in words for the user of the command line.
package struct ControlError: Error, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
