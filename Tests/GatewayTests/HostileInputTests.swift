import Alarms
import CloudCommands
import Consent
import ControlContract
import ControlLink
import ControlSocket
import Foundation
import GatewayModel
import HomeGateway
import HostileInput
import Hub
import Positioning
import SOSLocal
import Samples
import Settings
import SettingsSamples
import TestSupport
import Testing
import Vault

@testable import SignedCommands

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static let alarm = "0190c3a2-0000-7000-8000-000000000000"

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `at the control socket ends nothing`() {
        let seeds = [
            #"{"verb":"abort","by":"Maria","alarm":"\#(Self.alarm)"}"#, #"{"verb":"status"}"#,
            #"{"verb":"history","person":"maria","kind":"heart-rate","from":0,"to":1772353800000,"resolution":"raw"}"#,
            #"{"verb":"runner_vitals","subject":"milan","bib":17,"by":"clinic"}"#,
            #"{"verb":"exercise","person":"maria","minutes":30}"#,
        ]
        let verbs: [any ControlVerb.Type] = [
            Verb.Abort.self, Verb.Status.self, Verb.History.self, Verb.RunnerVitals.self, Verb.Exercise.self,
        ]
        Campaign("control-request").run(seeds: Self.bytes(seeds)) {
            _ = try? ControlJSON.request(from: $0, limit: ControlConnection.longestRequest) { name in
                verbs.first { $0.verb == name }
            }
        }
    }

    @Test func `in the file of open alarms ends nothing, in any state of the rules`() throws {
        let folder = try MemoryFolder()
        let settings = try SettingsSample().load()
        let file = AlarmStateFile(path: folder.path("alarms.json"), boot: "here")
        func machine() -> SOSMachine {
            SOSMachine(
                plans: settings.persons.map(\.plan), installed: settings.installed,
                startingAt: Sample.moment(0).boot)
        }
        var seeds: [[UInt8]] = []
        for boot in ["here", "other"] {
            var machine = machine()
            for number in 1...4 {
                _ = machine.handle(
                    .reading(Sample.reading(number, bpm: 190)), at: Sample.moment(Double(number)).boot)
                try AlarmStateFile(path: folder.path("alarms.json"), boot: boot).save(machine.snapshot)
                seeds += [folder.read("alarms.json")].compactMap { $0.isEmpty ? nil : $0 }
            }
        }
        try #require(seeds.count == 8)
        Campaign("alarms-file").run(seeds: seeds) { bytes in
            folder.write(bytes, "alarms.json")
            guard let kept = try? file.load(at: Sample.moment(10)) else { return }
            var machine = machine()
            _ = machine.resume(kept.snapshot, after: kept.absence)
            for second in [10, 11, 60, 4_000] { _ = machine.advance(to: Sample.moment(Double(second)).boot) }
            _ = machine.snapshot
        }
    }

    @Test func `in the rows of commands ends nothing`() throws {
        let seeds = [
            #"{"of":60,"value":120}"#, #"{"heart-rate":{"high":{"of":131,"value":140}}}"#,
            #"{"digest":"FZ","id":"b5aae106","issuer":"trackme","outcome":{"reason":"busy"}}"#, "17",
            #"{"millisecondsSince1970":1795424415047}"#,
        ]
        Campaign("state-rows").run(seeds: Self.bytes(seeds)) { bytes in
            _ = CommandedSettings.Content(
                ["heartbeat", "limits maria"].map { StateRow(key: $0, content: bytes) })
            _ = try? CommandRows { _ in
                ["1", "since", "trackme"].map { StateRow(key: $0, content: bytes) }
            }
        }
    }
}
