import Foundation
import Glibc
import TestSupport

/// Debian's Mosquitto with its sessions on disk: a witness with a lasting session misses nothing of what
/// arrives between the broker's start and the witness's own return.
actor LastingBroker {
    let port = quietPort()
    private let scratch: ScratchDirectory
    private var child: TiedChild?

    init() throws {
        scratch = try ScratchDirectory()
        // As the user who runs the tests: the scratch directory is not the mosquitto user's.
        let settings = """
            user \(String(cString: getpwuid(getuid()).pointee.pw_name))
            listener \(port) 127.0.0.1
            allow_anonymous true
            persistence true
            persistence_location \(scratch.url.path)/

            """
        _ = try scratch.write(settings, to: "mosquitto.conf")
    }

    func start() async throws {
        child = try TiedChild([MosquittoProcess.program, "-c", scratch.file("mosquitto.conf").path])
        guard await eventually(within: patience, { [port] in isListening(port) }) else {
            throw Missing(description: "Mosquitto: \(child?.errors.values.joined(separator: "\n") ?? "")")
        }
    }

    /// In order: it writes its sessions down.
    func stop() async {
        child?.signal(SIGTERM)
        await child?.ended()
        child = nil
    }
}
