public import Foundation
import Synchronization

/// The ambulance service of Tests/Rig, started for one test on a free port.
public final class AmbulanceRig: Sendable {
    public static let tests = Repository.root.appending(path: "Tests")

    /// One line of its output.
    public struct Heard: Decodable, Sendable {
        public let port: Int?
        public let method: String?
        public let path: String?
        public let key: String?
        public let type: String?
        public let client: String?
        public let authorization: String?
        public let problem: String?
        public let identifier: String?
        public let status: String?
        public let msgType: String?
        public let references: String?
        public let body: String?
        public let broken: String?
    }

    public let heard = Recorder<Heard>()
    public let port: Int
    private let scheme: String
    private let process: Mutex<Process>

    public init(_ identity: TestAuthority.Identity? = nil, _ more: String...) async throws {
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

    public func url(_ path: String, host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)/\(path)"
    }

    /// The calls so far.
    public var posts: [Heard] { heard.values.filter { $0.method == "POST" } }
}
