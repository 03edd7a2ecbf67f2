import CloudCommands
import CommandSamples
import Foundation
import GatewayModel
import Hub
import Logging
import ModelSamples
import Settings
import SettingsSamples
import TestSupport
import Testing
import Vault

@testable import SignedCommands

@Suite struct `A commanded interval of samples` {
    private static let maria = PersonID(sample: "maria")

    private static func persons(_ written: String) throws -> [GatewaySettings.Person] {
        var sample = SettingsSample()
        sample.person += "\n[person.sample_seconds]\n\(written)\n"
        return try sample.load().persons
    }

    /// Result of a command, and its rows where it was done.
    private static func result(
        _ members: String, _ commanded: CommandedSettings, _ persons: [GatewaySettings.Person]
    ) async throws -> (outcome: CommandJournal.Outcome, rows: [StateChange]) {
        let issuer = TestIssuer.ed25519()
        let token = try issuer.token(
            TestClaims.with { $0.command = #"{"type":"sample-interval",\#(members)}"# })
        let command = try #require(
            CommandVerifier(
                gateway: GatewayID(sample: "house-12"),
                issuers: [try await issuer.pinned(may: Set(CommandKind.allCases))]
            ).judge(token).fresh)
        let handler = try #require(
            SampleIntervalCommands(commanded: commanded, persons: { persons }).handlers[.sampleInterval])
        switch handler(command) {
        case .refused(let refusal): return (.refused(refusal), [])
        case .change(let rows, let outcome, let hold):
            hold()
            return (outcome, rows)
        }
    }

    private static func commanded(_ database: StateDatabase) -> CommandedSettings {
        CommandedSettings(from: database, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `holds over the settings, until 0 goes back`() async throws {
        let persons = try Self.persons("heart_rate = 5")
        let scratch = try ScratchDirectory()
        let commanded = Self.commanded(StateDatabase(in: scratch.url.path))
        func interval(_ kind: QuantityKind) -> Duration { commanded.sampleInterval(of: kind, persons[0]) }
        #expect(interval(.heartRate) == .seconds(5) && interval(.glucose) == .zero)
        for (kind, seconds) in [("heart-rate", 60), ("glucose", 3_600)] {
            let (outcome, _) = try await Self.result(
                #""person":"maria","kind":"\#(kind)","seconds":\#(seconds)"#, commanded, persons)
            #expect(outcome == .done("\(kind) is sent every \(seconds) s"))
        }
        #expect(interval(.heartRate) == .seconds(60) && interval(.glucose) == .seconds(3_600))
        #expect(
            commanded.intervalLines(of: persons[0]) == [
                "maria: heart-rate is sent every 60 s by command, every 5 s in the settings",
                "maria: glucose is sent every 3600 s by command, every reading in the settings",
            ])
        let (back, _) = try await Self.result(
            #""person":"maria","kind":"heart-rate","seconds":0"#, commanded, persons)
        #expect(back == .done("heart-rate is sent every 5 s"))
        #expect(interval(.heartRate) == .seconds(5) && interval(.glucose) == .seconds(3_600))
        #expect(commanded.intervalLines(of: persons[0]).first == "maria: heart-rate is sent every 5 s")
    }

    @Test func `outlives a restart, and ends where another value is written`() async throws {
        let persons = try Self.persons("heart_rate = 5")
        let scratch = try ScratchDirectory()
        let database = StateDatabase(in: scratch.url.path)
        let (_, rows) = try await Self.result(
            #""person":"maria","kind":"heart-rate","seconds":60"#, Self.commanded(database), persons)
        try database.apply(rows)
        let next = Self.commanded(database)
        #expect(next.sampleInterval(of: .heartRate, persons[0]) == .seconds(60))
        for (written, seconds) in [("heart_rate = 6", 6), ("glucose = 9", 0)] {
            let edited = try Self.persons(written)
            #expect(next.sampleInterval(of: .heartRate, edited[0]) == .seconds(seconds))
        }
    }

    @Test func `is never shorter than that of the settings`() async throws {
        let persons = try Self.persons("heart_rate = 60")
        let scratch = try ScratchDirectory()
        let commanded = Self.commanded(StateDatabase(in: scratch.url.path))
        for seconds in [1, 59] {
            let (outcome, _) = try await Self.result(
                #""person":"maria","kind":"heart-rate","seconds":\#(seconds)"#, commanded, persons)
            #expect(outcome.reason == .outOfBounds)
            #expect(outcome.detail?.contains("saw \(seconds), expected 60...3600") == true, "\(outcome)")
        }
        let (stranger, _) = try await Self.result(
            #""person":"paolo","kind":"heart-rate","seconds":60"#, commanded, persons)
        #expect(stranger.reason == .unknownPerson)
        #expect(commanded.sampleInterval(of: .heartRate, persons[0]) == .seconds(60))
    }
}
