import Foundation
import Synchronization
import TestSupport

/// The ambulance service of Tests/Rig, started for one test on a free port.
final class AmbulanceRig: Sendable {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// One line of its output.
    struct Heard: Decodable, Sendable {
        let port: Int?
        let method: String?
        let path: String?
        let key: String?
        let type: String?
        let client: String?
        let authorization: String?
        let problem: String?
        let identifier: String?
        let status: String?
        let msgType: String?
        let references: String?
        let body: String?
        let broken: String?
    }

    let heard = Recorder<Heard>()
    let port: Int
    private let scheme: String
    private let process: Mutex<Process>

    init(_ identity: TestAuthority.Identity? = nil, _ more: String...) async throws {
        let program = Process()
        let output = Pipe()
        program.executableURL = Self.tests.appending(path: "Rig/ambulance_service.py")
        program.arguments =
            (identity.map { ["--certificate", $0.certificate, "--key", $0.key] } ?? []) + more
        program.standardInput = Pipe()
        program.standardOutput = output
        try program.run()
        scheme = identity == nil ? "http" : "https"
        let heard = heard
        Thread.detachNewThread {
            var rest = Data()
            while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if let line = try? JSONDecoder().decode(Heard.self, from: rest[..<end]) { heard.add(line) }
                    rest = Data(rest[(end + 1)...])
                }
            }
        }
        process = Mutex(program)
        guard await heard.wait(until: { !$0.isEmpty }), let port = heard.values[0].port else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    deinit { process.withLock { $0.terminate() } }

    func url(_ path: String, host: String = "127.0.0.1") -> String { "\(scheme)://\(host):\(port)/\(path)" }

    /// The calls so far.
    var posts: [Heard] { heard.values.filter { $0.method == "POST" } }
}
