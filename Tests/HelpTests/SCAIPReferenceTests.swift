import SOSLocal
import Testing

@testable import CareCentre
@testable import GatewayModel

@Suite struct `A SCAIP reference` {
    @Test func `is the same for a second try and another one for every other word`() {
        let cause = SCAIPSample.crossing()
        let orders = [
            SCAIPSample.order(cause, stage: .pending), SCAIPSample.order(cause),
            SCAIPSample.order(cause, round: 2), SCAIPSample.order(cause, round: 63),
            SCAIPSample.order(SCAIPSample.crossing(number: 2)),
        ]
        let references =
            orders.map { SCAIPReference(call: $0) } + [
                SCAIPReference(retraction: SCAIPSample.retraction(cause)),
                SCAIPReference(
                    retraction: SCAIPSample.retraction(
                        cause, .resolved(PersonAct(by: "x", means: .console), at: SCAIPSample.at(9)))),
                SCAIPReference(heartbeat: 1), SCAIPReference(heartbeat: 2),
            ]
        #expect(Set(references).count == references.count)
        #expect(SCAIPReference(call: orders[1]) == SCAIPReference(call: SCAIPSample.order(cause)))
        #expect(references.allSatisfy { SCAIPReference($0.description) == $0 })
    }

    /// Late readings differ in the last digits of the id only.
    @Test func `tells ids apart that share all but their last bit`() {
        let low = ["8000-000000000000", "8000-000000000001", "ffff-ffffffffffff", "bfff-ffffffffffff"]
        let references = low.map { text in
            let cause = AlarmCause.signal(
                WearableSignal(
                    id: MessageID("0190c3a2-0000-7000-\(text)")!, person: SCAIPSample.person,
                    device: DeviceID(checked: "x"), kind: .fall, arrival: SCAIPSample.moment(0)))
            return SCAIPReference(call: SCAIPSample.order(cause))
        }
        #expect(Set(references).count == 4)
    }

    @Test(arguments: ["", "12345678901234567", "a b", "a-b", "ä", "1\n"])
    func `is 1 to 16 digits and letters`(text: String) {
        #expect(SCAIPReference(text) == nil)
    }
}
