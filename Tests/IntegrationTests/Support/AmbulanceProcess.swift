import Foundation
import TestSupport

/// The ambulance service of Tests/Rig, at a free port of this machine. What it answers is said by the path.
final class AmbulanceProcess: Sendable {
    /// One call, checked against CAP 1.2 as it came in.
    struct Call: Decodable, Sendable {
        var port: Int?
        var method: String?
        var msgType: String?
        var incidents: String?
        var status: String?
        var problem: String?
    }

    private let child: TiedChild
    private let port: Int

    init() async throws {
        child = try TiedChild([
            "/usr/bin/python3", Rig.directory.appending(path: "ambulance_service.py").path,
        ])
        let line = try await child.output.first("the ambulance service's port") { _ in true }
        guard let port = try Self.call(line).port else { throw Missing(description: line) }
        self.port = port
    }

    /// `[[channel]]` that calls it.
    func channel(_ id: String, path: String) -> String {
        """
        [[channel]]
        id = "\(id)"
        type = "https"
        url = "http://127.0.0.1:\(port)/\(path)"
        addresses = ["118-milano"]

        """
    }

    /// Those that have come so far.
    var calls: [Call] {
        child.output.values.compactMap { try? Self.call($0) }.filter { $0.method == "POST" }
    }

    @discardableResult
    func first(_ kind: String, of alarm: String? = nil) async throws -> Call {
        let line = try await child.output.first("'\(kind)' at the ambulance service") {
            guard let call = try? Self.call($0) else { return false }
            return call.msgType == kind && (alarm == nil || call.incidents == alarm)
        }
        return try Self.call(line)
    }

    private static func call(_ line: String) throws -> Call {
        try JSONDecoder().decode(Call.self, from: Data(line.utf8))
    }

    func end() async { await child.killed() }
}
