import Alarms
import GatewayModel
import Hub
import Readings
import RealTime
import Samples
import Settings
import SettingsSamples
import TestSupport
import Testing

@Suite struct `A reading` {
    /// Records what it is given, and how much the SOS rules had received by then.
    private final class Witness: ReadingConsumer, WearableObserver {
        let sos: SOSInbox
        let calls: Recorder<String>
        let name: String

        init(_ name: String, _ sos: SOSInbox, _ calls: Recorder<String>) {
            (self.name, self.sos, self.calls) = (name, sos, calls)
        }

        func consume(_ reading: Reading) { calls.add("\(name) after \(sos.mailbox.take().values.count)") }
        func observe(_ observation: WearableObservation) {
            if case .reading = observation { calls.add("\(name) after \(sos.mailbox.take().values.count)") }
        }
        func observe(_ observation: BroadcasterObservation) {}
    }

    private func calls(_ reading: Reading) throws -> [String] {
        let (sos, calls) = (try SOSInbox(), Recorder<String>())
        let pipeline = ReadingPipeline(
            sos: sos, roster: DeviceRoster(try SettingsSample().load().wearables),
            supervision: Witness("supervision", sos, calls),
            others: [Witness("first", sos, calls), Witness("second", sos, calls)])
        pipeline.consume(reading)
        return calls.values
    }

    @Test func `meets the SOS rules first, then supervision, then all others in their order`() throws {
        #expect(
            try calls(Sample.reading(1)) == ["supervision after 1", "first after 0", "second after 0"])
    }
}
