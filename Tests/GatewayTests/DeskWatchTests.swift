import CloudCommands
import CommandSamples
import ConsentService
import Contract
import Foundation
import GatewayModel
import Hub
import Logging
import MQTTBridge
import ModelSamples
import OutboxService
import RealTime
import Samples
import Settings
import SettingsSamples
import TestSupport
import Testing
import Vault

@testable import DeskWatch

@Suite struct `The watch of a desk` {
    private var desk = DeskMachine()

    private static let issuer = TestIssuer.ed25519()

    /// A status of a second of `Sample.moment`.
    private static func status(
        _ state: SignedDeskStatus.State, _ second: Double, to gateway: String = "house-12"
    ) async throws -> SignedDeskStatus {
        let pinned = try await DeskHouse.pinned(issuer)
        let token = try DeskHouse.token(state, at: Sample.moment(second).wall, by: issuer, to: gateway)
        return try SignedDeskStatus(token, to: GatewayID(sample: gateway), from: [pinned])
    }

    private mutating func refusal(
        _ status: SignedDeskStatus, at second: Double, isClockRight: Bool = true
    ) -> CommandRefusal.Reason? {
        do throws(CommandRefusal) {
            try desk.receive(status, at: Sample.moment(second), isClockRight: isClockRight)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test mutating func `finds what the newest status says`() async throws {
        desk.session(isUp: true, at: Sample.moment(0).boot)
        #expect(desk.look(at: Sample.moment(1).boot) == nil)
        #expect(refusal(try await Self.status(.attended, 2), at: 3) == nil)
        #expect(desk.look(at: Sample.moment(3).boot) == .attended)
        #expect(refusal(try await Self.status(.unattended, 32), at: 33) == nil)
        #expect(desk.look(at: Sample.moment(33).boot) == .unattended)
        #expect(refusal(try await Self.status(.attended, 62), at: 63) == nil)
        #expect(desk.look(at: Sample.moment(63).boot) == .attended)
    }

    @Test mutating func `finds a desk silent two minutes after the last status, or after the connection`()
        async throws
    {
        #expect(desk.look(at: Sample.moment(1_000).boot) == nil, "without a broker nothing is missing")
        desk.session(isUp: true, at: Sample.moment(1_000).boot)
        #expect(desk.look(at: Sample.moment(1_119.9).boot) == nil)
        #expect(desk.look(at: Sample.moment(1_120).boot) == .silent)
        #expect(refusal(try await Self.status(.attended, 1_130), at: 1_130) == nil)
        #expect(desk.look(at: Sample.moment(1_249).boot) == .attended)
        #expect(desk.look(at: Sample.moment(1_250).boot) == .silent)
        // Nothing valid came: it stays silent.
        #expect(refusal(try await Self.status(.attended, 1_130), at: 1_131) == .sequenceNotRising)
        #expect(desk.look(at: Sample.moment(1_251).boot) == .silent)
    }

    @Test mutating func `keeps its finding while the broker is away, and then waits anew`() async throws {
        desk.session(isUp: true, at: Sample.moment(0).boot)
        #expect(refusal(try await Self.status(.unattended, 1), at: 1) == nil)
        desk.session(isUp: false, at: Sample.moment(2).boot)
        #expect(desk.look(at: Sample.moment(900).boot) == .unattended)
        desk.session(isUp: true, at: Sample.moment(1_000).boot)
        #expect(desk.look(at: Sample.moment(1_119).boot) == .unattended)
        #expect(desk.look(at: Sample.moment(1_120).boot) == .silent)
    }

    @Test mutating func `takes no status that is old, of the future, replayed, or of an unset clock`()
        async throws
    {
        let attended = try await Self.status(.attended, 100)
        #expect(refusal(attended, at: 161) == .expired)
        #expect(refusal(attended, at: 39) == .issuedInFuture)
        #expect(refusal(attended, at: 100, isClockRight: false) == .clockNotSet)
        #expect(desk.finding == nil)
        #expect(refusal(attended, at: 160) == nil)
        let unattended = try await Self.status(.unattended, 130)
        #expect(refusal(unattended, at: 161) == nil)
        #expect(refusal(attended, at: 160) == .sequenceNotRising)
        #expect(refusal(unattended, at: 162) == .sequenceNotRising)
        #expect(desk.finding == .unattended)
    }

    @Test func `tells of the desk once for each change, and counts the refused`() async throws {
        let house = try await DeskHouse(desk: "desk = true", Self.issuer)
        #expect(house.watch.route.service == .fleeting)
        #expect(house.conditions.isEmpty && house.watch.statusLines == ["desk of trackme: nothing heard yet"])
        house.watch.brokerSession(isUp: true)
        house.care(after: .seconds(60))
        #expect(house.conditions.isEmpty)
        let now = Clock.wall()
        func at(_ seconds: Int64) -> WallTime {
            WallTime(millisecondsSince1970: now.millisecondsSince1970 + seconds * 1_000)
        }
        let unattended = try DeskHouse.token(.unattended, at: at(-2), by: Self.issuer)
        house.hear(unattended)
        #expect(house.conditions == [HealthCondition(.deskUnattended, subject: "trackme")])
        let forged: [[UInt8]] = [
            try DeskHouse.token(.attended, at: at(-1), by: .ed25519()),
            try DeskHouse.token(.attended, at: at(-1), by: Self.issuer, to: "house-13"),
            try DeskHouse.token(.attended, at: at(-600), by: Self.issuer),
            try DeskHouse.token(.attended, at: at(-3), by: Self.issuer), unattended, Array("attended".utf8),
        ]
        for token in forged + forged { house.hear(token) }
        #expect(house.conditions.count == 1)
        #expect(house.watch.statusLines.last == "statuses of desks that were refused: \(2 * forged.count)")
        let reasons = house.log.values.compactMap { $0.metadata["reason"] }
        #expect(
            reasons == ["bad-signature", "wrong-audience", "expired", "sequence-not-rising", "malformed"])
        house.hear(try DeskHouse.token(.attended, at: at(0), by: Self.issuer))
        #expect(house.conditions.isEmpty)
        house.care(after: .seconds(119))
        #expect(house.conditions.isEmpty)
        house.care(after: .seconds(125))
        #expect(house.conditions.count == 1)
        #expect(
            house.watch.statusLines.first?.contains("nothing valid was heard from the desk for 120 s") == true)
    }

    @Test func `of a house without a desk subscribes to nothing, and raises nothing`() async throws {
        let house = try await DeskHouse(desk: "", Self.issuer)
        #expect(house.watch.route.service == .ended)
        house.watch.brokerSession(isUp: true)
        house.hear(try DeskHouse.token(.unattended, at: Clock.wall(), by: Self.issuer))
        house.care(after: .seconds(10_000))
        #expect(house.conditions.isEmpty && house.watch.statusLines.isEmpty)
    }
}

/// A watch with the gateway's own parts around it, without threads.
private final class DeskHouse: Sendable {
    struct LogLine: Sendable {
        let metadata: [String: String]
    }

    let watch: DeskWatch
    let log = Recorder<LogLine>()
    private let core: GatewayCore
    private let scratch: ScratchDirectory

    /// - Parameter desk: line of the issuer's section.
    init(desk: String, _ issuer: TestIssuer) async throws {
        scratch = try ScratchDirectory()
        let keys = try scratch.write("{\"keys\":[\(issuer.jwk)]}", to: "issuer.jwks")
        let file = try scratch.writeSettings(
            more: """
                [commands]
                clock = "assumed-right"
                [[commands.issuers]]
                id = "trackme"
                keys = "\(keys.path)"
                \(desk)
                """)
        let settings = try GatewaySettings.load(path: file.path)
        let logger = Logger(label: "test") { [log] _ in DeskLog(lines: log) }
        let marks = StateMarks(in: settings.gateway.stateDirectory, boot: "test")
        let (gate, ledger) = ConsentStart(of: settings, marks, Logger(label: "start")).parts
        core = try GatewayCore(
            version: "test", settings: { settings }, boot: "test", marks: marks, gate: gate, ledger: ledger,
            isClockTrusted: { true }, log: logger)
        let pinned = try await Self.pinned(issuer, hasDesk: !desk.isEmpty)
        watch = DeskWatch(core) { [pinned] }
    }

    var conditions: [HealthCondition] { core.health.conditions }

    func hear(_ token: [UInt8]) {
        let message = InboundMessage(topic: core.topics.desk, payload: token, isRetained: false)
        #expect(watch.route.handle(message))
    }

    /// - Parameter time: from now on.
    func care(after time: Duration) {
        let now = Clock.moment()
        for task in watch.careTasks {
            task.body(Moment(boot: now.boot.advanced(by: time), wall: now.wall.advanced(by: time)))
        }
    }

    static func pinned(_ issuer: TestIssuer, hasDesk: Bool = true) async throws -> PinnedIssuer {
        PinnedIssuer(
            id: IssuerID(sample: issuer.id), keys: [try await PinnedKey(jwk: Array(issuer.jwk.utf8))], may: [],
            hasDesk: hasDesk)
    }

    static func token(
        _ state: SignedDeskStatus.State, at time: WallTime, by issuer: TestIssuer,
        to gateway: String = "house-12"
    ) throws -> [UInt8] {
        let header = #"{"alg":"\#(issuer.algorithm)","kid":"\#(issuer.keyID)","typ":"trackme-desk+jwt"}"#
        let claims =
            #"{"iss":"\#(issuer.id)","aud":"\#(gateway)","iat":\#(time.millisecondsSince1970 / 1_000),"#
            + #""state":"\#(state.rawValue)"}"#
        return Array(try issuer.token(header: header, claims: Array(claims.utf8)).utf8)
    }
}

/// Keeps the warnings of refused statuses.
private struct DeskLog: LogHandler {
    let lines: Recorder<DeskHouse.LogLine>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard event.message.description.hasPrefix("a status of the desk") else { return }
        lines.add(DeskHouse.LogLine(metadata: (event.metadata ?? [:]).mapValues(\.description)))
    }
}
