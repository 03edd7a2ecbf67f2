import Alarms
import GatewayModel
import Hub
import ModelSamples
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

    private func callsOfProgram(
        _ currency: Reading.Currency = .live, isJudged: Bool, claim: String = ""
    ) throws -> [String] {
        let (sos, calls) = (try SOSInbox(), Recorder<String>())
        var sample = SettingsSample()
        sample.wearable += "\n" + claim
        let pipeline = ReadingPipeline(
            sos: sos, roster: DeviceRoster(try sample.load().wearables),
            supervision: Witness("supervision", sos, calls), others: [Witness("first", sos, calls)])
        let reading = Reading(
            id: Sample.id(1), person: Sample.maria, device: DeviceID(sample: "app"),
            quantity: Quantity(.heartRate, 190), contact: .unknown, currency: currency,
            arrival: Sample.moment(1), provenance: .app)
        pipeline.consume(ofProgram: reading, isJudged: isJudged)
        return calls.values
    }

    @Test func `of a program meets the SOS rules only where the settings say so, and supervision never`() throws
    {
        #expect(try callsOfProgram(isJudged: false) == ["first after 0"])
        #expect(try callsOfProgram(isJudged: true) == ["first after 1"])
    }

    @Test func `of a program is not judged if it is history, or of a kind that a wearable claims`() throws {
        #expect(try callsOfProgram(.history, isJudged: true) == ["first after 0"])
        #expect(try callsOfProgram(isJudged: true, claim: "sos_for = [\"heart-rate\"]") == ["first after 0"])
        #expect(try callsOfProgram(isJudged: true, claim: "sos_for = [\"glucose\"]") == ["first after 1"])
    }
}
