import ControlContract
import GatewayModel
import SOSLocal
import Testing

/// Parts of the state that are computed for pages.
@Suite struct `The state of the house` {
    @Test func `says nothing of the usual before two days have readings`() {
        let maria = PersonID("maria")!
        let hours = (0..<48).map(Double.init)
        #expect(HouseSnapshot.UsualBand(ofHours: Array(hours.dropLast()), of: .heartRate, for: maria) == nil)
        #expect(HouseSnapshot.UsualBand(ofHours: hours, of: .heartRate, for: maria) != nil)
    }

    @Test func `takes the tenth to the ninetieth percentile as usual, in any order of the hours`() throws {
        let hours = (0...100).map(Double.init).shuffled()
        let band = try #require(
            HouseSnapshot.UsualBand(ofHours: hours, of: .heartRate, for: PersonID("maria")!))
        #expect(band.low == 10 && band.high == 90)
    }

    private static func state(_ conditions: [HealthCondition], worn: [(String, by: String)]) -> HouseSnapshot {
        let now = Moment(boot: BootInstant(nanoseconds: 9_000), wall: WallTime(millisecondsSince1970: 1))
        var state = HouseSnapshot(
            version: "1", gateway: GatewayID("box")!, at: now, summary: "", unsent: 0, alarms: [],
            conditions: conditions.map { HouseSnapshot.Condition($0, reason: nil, since: nil) })
        state.persons = ["maria", "anna"].map {
            HouseSnapshot.Person(
                id: PersonID($0)!, name: $0, language: "en", agreements: [], coverage: [])
        }
        state.devices = worn.map { device, person in
            HouseSnapshot.Device(
                id: DeviceID(device)!, person: PersonID(person)!,
                address: DeviceAddress("AA:BB:CC:DD:EE:FF")!, heardBy: "connection", kinds: nil,
                lastReadingAge: nil)
        }
        state.describeSupervision()
        return state
    }

    @Test func `pauses supervision for the wearer of the silent wearable alone`() {
        let state = Self.state(
            [HealthCondition(.wearableSilent, subject: "strap")], worn: [("strap", "maria"), ("ring", "anna")])
        #expect(state.persons.map { $0.supervision?.reasons } == [["wearable-silent"], []])
        #expect(state.persons.map { $0.supervision?.isPaused } == [true, false])
    }

    @Test func `shows no pause of the supervision for a help button that was not tested`() {
        let state = Self.state(
            [HealthCondition(.sosButtonUntested, subject: "pendant")],
            worn: [("strap", "maria"), ("pendant", "maria")])
        #expect(state.persons.first?.supervision?.isPaused == false)
        #expect(state.conditions.map(\.code) == ["sos-button-untested"], "it is advice of its own")
    }

    @Test func `pauses supervision for all where the box is deaf`() {
        let state = Self.state(
            [HealthCondition(.bluetoothUnavailable)], worn: [("strap", "maria"), ("ring", "anna")])
        #expect(state.persons.allSatisfy { $0.supervision?.isPaused == true })
    }

    @Test func `never calls a person without a wearable watched`() {
        let state = Self.state([], worn: [("strap", "maria")])
        #expect(state.persons.map { $0.supervision?.reasons } == [[], ["no-wearable"]])
    }
}
