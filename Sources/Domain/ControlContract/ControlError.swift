/// Error at the control socket, in words for the user of the command line.
package struct ControlError: Error, CustomStringConvertible, Sendable {
    package let description: String
    /// For pages; nil for an error that no page meets.
    package let code: RefusalCode?

    package init(_ description: String, _ code: RefusalCode? = nil) {
        (self.description, self.code) = (description, code)
    }
}
