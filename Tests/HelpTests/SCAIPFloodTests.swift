import Foundation
import GatewayModel
import Glibc
import HelpLine
import SOSLocal
import TestSupport
import Testing

@testable import CareCentre
@testable import SIP

@Suite(.serialized, .enabled(if: SIPRig.isInstalled)) struct `A flood at the port of a SCAIP channel` {
    private static let order = SCAIPSample.order()
    private static let accepted = ChannelEvent.accepted(order.alarm, of: nil, by: "the centre")
    /// Megabytes. Without the bounds, 20,000 requests take 200 MB.
    private static let mostGrowth = 16.0

    /// Resident, in megabytes.
    private static func memory() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Double(line.split(separator: " ")[1])) / 1_024
    }

    /// A program that floods; it is another process, so that its memory does not count.
    private static func flood(
        _ kind: String, _ port: UInt16, from source: String, _ count: Int, _ scratch: ScratchDirectory
    ) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/python3",
            [SIPRig.files.appending(path: "flood.py").path, kind, "\(port)", source, "\(count)"],
            output: scratch.file("flood-\(kind)-\(source).log"))
    }

    /// Floods, waits until it is over, and calls meanwhile. The centre is at 127.0.0.1.
    private static func check(
        _ transport: SCAIPChannel.Settings.Transport, _ kind: String, from source: String, _ count: Int,
        until isOver: @escaping @Sendable (String) -> Bool
    ) async throws -> (line: SIPRig.Line, log: String) {
        let (scratch, port) = (try ScratchDirectory(), freePort())
        let centre = try await SIPRig.sipp("own-message", tcp: transport == .tcp)
        let line = try SIPRig.Line(centre, transport) { $0.localPort = port }
        #expect(await eventually { SIPRig.isBound(port) })
        let before = try memory()
        let flooding = try flood(kind, port, from: source, count, scratch)
        defer { flooding.killAndWait() }
        try line.send(order)
        #expect(await line.wait { $0.words.contains(accepted) }, "\(line.all) \(centre.log)")
        #expect(await eventually(within: .seconds(60)) { isOver(flooding.text) }, "\(flooding.text)")
        let grown = try memory() - before
        #expect(grown < mostGrowth, "\(grown) MB more")
        return (line, flooding.text)
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.2"])
    func `of requests takes little memory, and a call gets through meanwhile`(source: String) async throws {
        let (line, log) = try await Self.check(.udp, "udp", from: source, 20_000) { $0.contains("answers") }
        // A stranger is not heard at all; the centre's own address within a bound.
        let answers = try #require(Int(log.split(separator: " ").last?.trimmingCharacters(in: .newlines) ?? ""))
        #expect(source == "127.0.0.1" ? answers > 0 && answers < 10_000 : answers == 0, "\(log)")
        try await line.stop()
    }

    @Test func `of connections takes little memory, and a call gets through meanwhile`() async throws {
        let (line, log) = try await Self.check(.tcp, "tcp", from: "127.0.0.2", 300) { $0.contains("held") }
        #expect(log.contains("held 0"), "\(log)")
        try await line.stop()
    }
}

@Suite struct `The intake of requests at the SCAIP port` {
    @Test func `is bounded in each second`() {
        var intake = SIPIntake()
        func taken(_ count: Int, at second: Double) -> Int {
            (0..<count).count { _ in
                intake.takes(at: BootInstant(nanoseconds: Int64(second * 1_000_000_000)))
            }
        }
        #expect(taken(1_000, at: 1) == SIPIntake.perSecond)
        #expect(taken(1_000, at: 1.9) == 0)
        #expect(taken(10, at: 2.1) == 10)
    }
}
