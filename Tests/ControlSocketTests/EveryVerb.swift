import ControlContract
import ControlLink
import Foundation
import TestSupport
import Testing

/// The verbs of the product.
enum EveryVerb {
    static let types: [any ControlVerb.Type] = [
        Verb.Abort.self, Verb.Accept.self, Verb.AcceptAlarm.self, Verb.AcceptLimits.self,
        Verb.AddBroadcaster.self, Verb.Alarms.self, Verb.AnswerPairing.self, Verb.Buzz.self,
        Verb.CallHelp.self, Verb.ChangeChannel.self, Verb.ChangeLimits.self, Verb.ChangeProfile.self,
        Verb.Channels.self, Verb.CheckReport.self, Verb.ConfirmBattery.self, Verb.ConsentHistory.self,
        Verb.ConsentRequest.self, Verb.Consents.self, Verb.CorrectRace.self, Verb.DevicePaired.self,
        Verb.DeviceSetup.self, Verb.Drill.self, Verb.EraseMyData.self, Verb.Exercise.self, Verb.Follow.self,
        Verb.ForgetDevice.self, Verb.History.self, Verb.LimitQuestions.self, Verb.Limits.self,
        Verb.LinkCode.self, Verb.MyData.self, Verb.NameMeasurer.self, Verb.PairDevice.self,
        Verb.Positions.self, Verb.Profile.self, Verb.Race.self, Verb.RaceSelfTest.self,
        Verb.RecentEvents.self, Verb.Refuse.self, Verb.RefuseLimits.self, Verb.Reload.self,
        Verb.ReloadRuns.self, Verb.ReloadSettings.self, Verb.Resolve.self, Verb.RotateHistoryKey.self,
        Verb.RunnerVitals.self, Verb.Runs.self, Verb.ScanDevices.self, Verb.Settings.self,
        Verb.StartCheck.self, Verb.StartWalk.self, Verb.Status.self, Verb.StopSetup.self, Verb.StopWalk.self,
        Verb.TestButton.self, Verb.TrackDevice.self, Verb.Walk.self, Verb.WalkRoom.self, Verb.Watch.self,
        Verb.Withdraw.self,
    ]

    static func request(
        _ line: some Sequence<UInt8>
    ) throws(ControlError) -> (request: any ControlVerb, session: ControlSession?) {
        try ControlJSON.request(from: Array(line), limit: 4_096) { name in
            types.first { $0.verb == name }
        }
    }
}

@Suite struct `The verbs` {
    @Test func `of these tests are those of the sources, each with a name of its own`() throws {
        let sources = Repository.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var names: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /static let verb = "(\w+)"/)
            {
                names.append(String(match.1))
            }
        }
        #expect(names.sorted() == EveryVerb.types.map { $0.verb }.sorted())
        #expect(Set(names).count == names.count)
    }
}
