import Samples
import Testing
import Vault

@testable import GatewayModel
@testable import Hub
@testable import Supervision

@Suite struct `Supervision of an SOS button` {
    private typealias Machine = SOSButtonMachine

    private static let day = 86_400.0
    private static let maria = PersonID(checked: "maria")
    private static let pendant = DeviceID(checked: "pendant")
    private static let address = DeviceAddress("C0:FF:EE:00:00:05")!

    private static func button(
        _ id: DeviceID = pendant, isSOSButton: Bool = true, isBroadcaster: Bool = true
    ) -> Machine.Button {
        Machine.Button(
            id: id, address: address, person: maria, isSOSButton: isSOSButton, isBroadcaster: isBroadcaster)
    }

    private func at(_ seconds: Double) -> Moment { Sample.moment(seconds) }

    private func machine(
        _ button: Machine.Button = button(), records: [SOSButtonRecord] = [], known: Set<DeviceID> = [],
        from seconds: Double = 0
    ) -> Machine {
        Machine([button], records: records, known: known, at: at(seconds).boot)
    }

    private func situation(
        _ seconds: Double, interval: Duration? = .seconds(7 * day), isClockSet: Bool = true,
        isAwake: Bool = true,
        inAlarm: Set<PersonID> = []
    ) -> Machine.Situation {
        Machine.Situation(
            now: at(seconds), interval: interval, isClockSet: isClockSet, isAwake: isAwake,
            personsInAlarm: inAlarm)
    }

    private func holding(_ outcome: Machine.Outcome) -> [HealthCode] {
        outcome.changes.filter(\.holds).map(\.condition.code)
    }

    private let ask = Machine.Word.ask(pendant, maria)
    private let thanks = Machine.Word.thank(maria)

    @Test func `asks after the interval, reminds every four hours, and reports a test that is missed`() {
        var machine = machine()
        machine.heard(Self.pendant, at: at(0).boot)
        #expect(machine.tick(situation(0)).words == [])
        #expect(machine.tick(situation(7 * Self.day - 1)).words == [])
        let due = 7 * Self.day
        #expect(machine.tick(situation(due)).words == [ask])
        #expect(machine.tick(situation(due + 1)).words == [])
        #expect(machine.tick(situation(due + 4 * 3_600 - 1)).words == [])
        #expect(machine.tick(situation(due + 4 * 3_600)).words == [ask])
        #expect(holding(machine.tick(situation(due + Self.day - 1))) == [])
        let missed = machine.tick(situation(due + Self.day))
        #expect(holding(missed) == [.sosButtonUntested] && missed.words == [])
        machine.pressed(Self.pendant, at: at(due + Self.day + 1).boot)
        #expect(holding(machine.tick(situation(due + Self.day + 1))) == [])
        #expect(machine.tick(situation(due + Self.day + 1 + 7 * Self.day)).words == [ask])
    }

    @Test func `leaves the thanks for a press in the time of the test to the rules`() {
        var machine = machine()
        _ = machine.tick(situation(0))
        let due = 7 * Self.day
        #expect(machine.tick(situation(due)).words == [ask])
        machine.pressed(Self.pendant, at: at(due + 60).boot)
        #expect(machine.tick(situation(due + 90)).words == [])
    }

    @Test func `takes any press as the test, and thanks for a late one once its alarm is over`() {
        var machine = machine()
        _ = machine.tick(situation(0))
        let due = 7 * Self.day
        #expect(machine.tick(situation(due)).words == [ask])
        machine.pressed(Self.pendant, at: at(due + 160).boot)
        #expect(machine.tick(situation(due + 160)).words == [])
        #expect(machine.tick(situation(due + 170, inAlarm: [Self.maria])).words == [])
        #expect(machine.tick(situation(due + 190)).words == [thanks])
        #expect(machine.tick(situation(due + 191)).words == [])
        // Nobody has asked for this one.
        machine.pressed(Self.pendant, at: at(due + 300).boot)
        #expect(machine.tick(situation(due + 400)).words == [])
    }

    @Test func `does not thank for a press long after the request`() {
        var machine = machine()
        _ = machine.tick(situation(0))
        #expect(machine.tick(situation(7 * Self.day)).words == [ask])
        machine.pressed(Self.pendant, at: at(7 * Self.day + 1_801).boot)
        #expect(machine.tick(situation(7 * Self.day + 1_900)).words == [])
    }

    @Test func `waits for the waking hours and for the end of an alarm`() {
        var machine = machine()
        machine.heard(Self.pendant, at: at(0).boot)
        _ = machine.tick(situation(0))
        let due = 7 * Self.day
        #expect(machine.tick(situation(due, isAwake: false)).words == [])
        #expect(machine.tick(situation(due + 3_600, inAlarm: [Self.maria])).words == [])
        // The day to answer in begins with the request.
        #expect(holding(machine.tick(situation(due + 2 * Self.day, isAwake: false))) == [])
        #expect(machine.tick(situation(due + 2 * Self.day)).words == [ask])
    }

    @Test func `remembers a missed test over a restart, and a longer interval ends it`() throws {
        var first = machine()
        first.pressed(Self.pendant, at: at(10).boot)
        var rows = first.tick(situation(10)).rows
        rows += first.tick(situation(10 + 7 * Self.day)).rows
        guard case .put(.sosButton, let row)? = rows.last else { throw NoRow() }
        let record: SOSButtonRecord = try #require(row.decoded())
        var second = machine(records: [record], from: 8.5 * Self.day)
        #expect(holding(second.tick(situation(8.5 * Self.day))) == [.sosButtonUntested])
        #expect(second.states(interval: nil).first?.record.pressed == at(10).wall)
        #expect(holding(second.tick(situation(8.5 * Self.day, interval: .seconds(30 * Self.day)))) == [])
        #expect(holding(second.tick(situation(8.5 * Self.day, interval: nil))) == [])
    }

    @Test func `forgets the record of another device under the same name`() {
        let other = SOSButtonRecord(
            device: Self.pendant, address: DeviceAddress("C0:FF:EE:00:00:06")!, since: at(0).wall,
            heard: at(0).wall, pressed: at(0).wall)
        var machine = machine(records: [other], from: 9 * Self.day)
        #expect(machine.tick(situation(9 * Self.day)).words == [])
        #expect(machine.states(interval: nil).first?.record.pressed == nil)
    }

    @Test func `judges no wall time while the clock is not set, and dates the press once it is`() {
        var machine = machine()
        #expect(machine.tick(situation(30 * Self.day, isClockSet: false)).words == [])
        machine.pressed(Self.pendant, at: at(30 * Self.day).boot)
        _ = machine.tick(situation(30 * Self.day + 60, isClockSet: false))
        #expect(machine.states(interval: nil).first?.record.pressed == nil)
        _ = machine.tick(situation(30 * Self.day + 120))
        #expect(machine.states(interval: nil).first?.record.pressed == at(30 * Self.day).wall)
    }

    @Test func `takes a time ahead of the clock for the present`() {
        let wrong = SOSButtonRecord(
            device: Self.pendant, address: Self.address, since: at(0).wall, heard: at(900 * Self.day).wall,
            pressed: at(900 * Self.day).wall)
        var machine = machine(records: [wrong], from: 1)
        _ = machine.tick(situation(1))
        #expect(machine.states(interval: nil).first?.record.pressed == at(1).wall)
        #expect(machine.tick(situation(1 + 7 * Self.day)).words == [ask])
    }

    @Test func `reports a broadcaster that was never heard, until it is, and none that was known before`() {
        for isSOSButton in [true, false] {
            var machine = machine(Self.button(isSOSButton: isSOSButton))
            #expect(holding(machine.tick(situation(3_599))) == [])
            #expect(holding(machine.tick(situation(3_600, isClockSet: false))) == [.wearableNeverHeard])
            machine.heard(Self.pendant, at: at(3_700).boot)
            #expect(holding(machine.tick(situation(3_700))) == [])
        }
        var known = machine(known: [Self.pendant])
        #expect(holding(known.tick(situation(4_000))) == [])
        var connected = machine(Self.button(isBroadcaster: false))
        #expect(holding(connected.tick(situation(4_000))) == [])
    }

    @Test func `never tests a sensor without an SOS button`() {
        var machine = machine(Self.button(isSOSButton: false))
        machine.heard(Self.pendant, at: at(0).boot)
        _ = machine.tick(situation(0))
        let outcome = machine.tick(situation(30 * Self.day))
        #expect(outcome.words == [] && holding(outcome) == [])
    }

    @Test func `writes a press at once and mere signs of life every ten minutes`() {
        var machine = machine()
        #expect(machine.tick(situation(0)).rows.count == 1)
        machine.heard(Self.pendant, at: at(10).boot)
        #expect(machine.tick(situation(10)).rows.count == 1)
        machine.heard(Self.pendant, at: at(600).boot)
        #expect(machine.tick(situation(600)).rows == [])
        machine.heard(Self.pendant, at: at(620).boot)
        #expect(machine.tick(situation(620)).rows.count == 1)
        machine.pressed(Self.pendant, at: at(621).boot)
        #expect(machine.tick(situation(621)).rows.count == 1)
        machine.heard(Self.pendant, at: at(640).boot)
        #expect(machine.tick(situation(640)).rows == [])
        #expect(machine.unsavedRows().count == 1)
        #expect(machine.unsavedRows() == [])
    }

    @Test func `ends the conditions and the row of a button that was removed`() {
        var machine = machine()
        #expect(holding(machine.tick(situation(3_600))) == [.wearableNeverHeard])
        let outcome = machine.replace([], at: at(3_601).boot)
        #expect(outcome.rows == [.remove(.sosButton, key: "pendant")])
        #expect(
            outcome.changes.contains(
                HealthChange(
                    condition: HealthCondition(.wearableNeverHeard, subject: "pendant"), holds: false)))
    }

    private struct NoRow: Error {}
}
