public import Foundation
public import TestSupport

extension ScratchDirectory {
    /// The least that a command reads beside files of this directory, which is its state directory; nobody answers at the
    /// control socket.
    public func writeSettings(more: String = "", to name: String = "gateway.toml") throws -> URL {
        try write(
            """
            [gateway]
            id = "house-12"
            state_directory = "\(url.path)"
            control_socket = "\(url.path)/control"
            [installed]
            address = "Via Dante 7"
            [broker]
            host = "127.0.0.1"
            tls = false
            [[person]]
            id = "maria"
            name = "Maria Rossi"
            \(more)
            """, to: name)
    }
}
