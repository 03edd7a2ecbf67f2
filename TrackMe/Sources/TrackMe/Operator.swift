import Foundation

/// The person at the terminal.
enum Operator {
    /// Name for the audit log: of the person behind sudo, else of the user.
    static var name: String {
        ProcessInfo.processInfo.environment["SUDO_USER"] ?? ProcessInfo.processInfo.userName
    }
}
