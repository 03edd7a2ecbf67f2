import GatewayModel
import ModelSamples
import SOSExploration
import SOSLocal
import Testing

@Suite struct `In the long run` {
    private func reading(_ bpm: Double, at seconds: Double, from device: String) -> SOSEvent {
        let reading = House.reading(bpm, at: seconds)
        return .reading(
            Reading(
                id: reading.id, person: reading.person, device: DeviceID(sample: device),
                quantity: reading.quantity, contact: reading.contact, arrival: reading.arrival))
    }

    @Test func `a channel that has the call hears of the abort although a later round was refused`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        #expect(machine.advance(to: House.at(44.5)).orders.map(\.round) == [2])
        _ = machine.handle(
            .channel(House.mqtt, .failed(alarm, .confirmed, reason: "quota")), at: House.at(44.6))
        let abort = machine.handle(.abort(.theOpenOne, House.act), at: House.at(45))
        #expect(abort.retractions.map(\.channels) == [[House.mqtt]])
    }

    @Test func `a second device that is stuck at a normal value does not hide a racing heart`() {
        var machine = House.machine()
        var notices: [AlarmNotice] = []
        for second in 10..<30 {
            let racing = reading(185, at: Double(second), from: "strap")
            notices += machine.handle(racing, at: House.at(Double(second))).notices
            let stuck = reading(70, at: Double(second) + 0.5, from: "watch")
            notices += machine.handle(stuck, at: House.at(Double(second) + 0.5)).notices
        }
        #expect(notices.count == 1)
        #expect(machine.openAlarms.first?.cause.crossing?.reading.device == DeviceID(sample: "strap"))
    }

    @Test func `two devices that see the same make one call`() {
        var machine = House.machine()
        var notices: [AlarmNotice] = []
        for second in 10..<20 {
            for device in ["strap", "watch"] {
                let event = reading(185, at: Double(second), from: device)
                notices += machine.handle(event, at: House.at(Double(second))).notices
            }
        }
        #expect(notices.count == 1)
    }

    @Test func `after an abort with the value inside the limit, the next crossing alarms`() {
        var machine = House.machine()
        _ = machine.alarmAtTwelve()
        _ = machine.hear(128, at: 13)
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(13.5))
        let notices = (15..<20).flatMap { machine.hear(200, at: Double($0)).notices }
        #expect(notices.count == 1)
    }

    @Test func `after an abort a clearly worse value alarms before the rest is over`() {
        var machine = House.machine()
        _ = machine.alarmAtTwelve()
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(13))
        #expect((14..<20).flatMap { machine.hear(161, at: Double($0)).notices }.isEmpty)
        #expect((20..<25).flatMap { machine.hear(162, at: Double($0)).notices }.count == 1)
    }

    @Test func `an old accepted alarm is not taken back by a press that names none`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        _ = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: House.operatorAct.by)), at: House.at(20))
        #expect(machine.handle(.abort(.theOpenOne, House.act), at: House.at(1_821)).refusals == [.nothingOpen])
        #expect(machine.handle(.abort(.alarm(alarm), House.act), at: House.at(1_822)).retractions.count == 1)
    }
}

@Suite struct `Every history of an alarm` {
    /// A smaller bound than `make explore`, for each build.
    @Test(arguments: ExploredHouse.all)
    func `keeps every promise`(of house: ExploredHouse) {
        let result = Exploration(house, depth: 5, faults: 1).run()
        #expect(result.broken == [:])
        #expect(result.states > 1_000, "it has not gone anywhere")
    }
}
