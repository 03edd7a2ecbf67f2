package import ConsoleAccess
package import ControlContract
import GatewayModel
package import HTML
import Pages

/// Requests to the gateway that posted forms stand for, and the pages that follow them. Pure.
package enum ConsoleOrder {
    /// Page that follows an act of the gateway by a session of this role.
    package static func back(after act: ConsoleAct, by role: ControlSession.Role) -> HTML.Place {
        switch act {
        case .withdraw: Pages.Route.sharing
        case .linkCode: Pages.Route.linkCode
        case .scan, .addWearable, .addBroadcaster, .answerPairing, .stopSetup, .forget: Pages.Route.pairWearable
        case .track: Pages.Route.wearables
        case .buzz: role == .installer ? Pages.Route.wearables : Pages.Route.today
        case .check: Pages.Route.doctor
        case .startWalk, .walkRoom, .stopWalk: Pages.Route.walk
        case .abort, .callHelp, .acceptAlarm, .resolve, .allow, .refuse, .later, .allowLimits, .refuseLimits,
            .changeProfile, .drill, .testButton, .exercise, .nameMeasurer, .correctRace, .newCode, .revoke,
            .endDevice, .knowDevice:
            Pages.Route.room
        }
    }

    /// - Parameter caller: name of the session.
    /// - Throws: the field that is missing or wrong, in words for a person.
    package static func request(
        _ act: ConsoleAct, _ form: [String: String], by caller: String
    ) throws(ControlError) -> ControlRequest {
        if let act = try installer(act, form) { return .install(InstallerAct(act)) }
        func end() throws(ControlError) -> ControlRequest.AlarmEnd {
            try .init(alarm: form["alarm"], person: form["person"], reason: form["reason"], by: caller)
        }
        func decision() throws(ControlError) -> ControlRequest.Decision {
            try .init(subject: form["request"], person: nil, by: caller, pin: form["pin"])
        }
        func limits() throws(ControlError) -> ControlRequest.LimitDecision {
            try .init(person: form["person"], kind: form["kind"], by: caller, pin: form["pin"])
        }
        switch act {
        case .abort: return .abort(try end())
        case .acceptAlarm: return .acceptAlarm(try end())
        case .resolve: return .resolve(try end())
        case .callHelp:
            return .callHelp(try .init(person: form["person"], alarm: form["alarm"], by: caller))
        case .allow: return .accept(try decision())
        case .refuse: return .refuse(try decision())
        case .withdraw: return .withdraw(try decision())
        case .allowLimits: return .acceptLimits(try limits())
        case .refuseLimits: return .refuseLimits(try limits())
        case .drill: return .drill(try .init(person: form["person"], by: caller))
        case .exercise:
            return .exercise(
                try .init(person: form["person"], minutes: form["minutes"].flatMap { Int($0) }, by: caller))
        case .nameMeasurer:
            return .nameMeasurer(
                try .init(measurement: form["measurement"], person: form["person"], by: caller))
        case .linkCode: return .linkCode(try .init(person: form["person"], by: caller))
        case .testButton: return .testButton(try .init(person: form["person"], by: caller))
        case .later, .changeProfile, .newCode, .revoke, .endDevice, .knowDevice, .correctRace, .scan,
            .addWearable, .addBroadcaster,
            .answerPairing, .stopSetup, .track, .forget, .buzz, .check, .startWalk, .walkRoom, .stopWalk:
            throw ControlError("\(act): saw an act of the console, expected one of the gateway")
        }
    }

    /// Act of an installer; nil for an act of another kind.
    private static func installer(
        _ act: ConsoleAct, _ form: [String: String]
    ) throws(ControlError) -> InstallerAct.Act? {
        func device() throws(ControlError) -> DeviceID {
            try ControlField(
                "device", expected: DeviceID.form, remedy: "go back, and type a short word such as strap"
            ).id(form["device"])
        }
        func address() throws(ControlError) -> DeviceAddress {
            try ControlField(
                "address", expected: "an address of the scan", remedy: "look for wearables again"
            ).value(form["address"]) { DeviceAddress($0) }
        }
        switch act {
        case .scan: return .scan(seconds: 60)
        case .addWearable:
            return .pair(
                InstallerAct.NewWearable(
                    id: try device(), address: try address(),
                    person: try ControlField.person.id(form["person"]),
                    isBonded: form["bond"] != "no"))
        case .addBroadcaster:
            let meanings = SignalEvent.allCases.compactMap { event in
                form[event.rawValue].flatMap { $0.isEmpty ? nil : (event: event.rawValue, meaning: $0) }
            }
            return .addBroadcaster(
                try InstallerAct.NewBroadcaster(
                    id: try device(), address: try address(),
                    person: try ControlField.person.id(form["person"]),
                    key: form["key"]?.filter { !$0.isWhitespace }, meanings: meanings))
        case .answerPairing: return .answer((form["answer"] ?? "").filter { !$0.isWhitespace })
        case .stopSetup: return .stopSetup
        case .track:
            let kind = try ControlField(
                "kind", expected: "a kind of reading", remedy: "go back to the wearables"
            ).value(form["kind"]) { QuantityKind(rawValue: $0) }
            return .track(
                InstallerAct.Tracking(
                    device: try device(), kind: kind, isOn: form["on"] == "yes",
                    isSOSSource: form["sos"].map { $0 == "yes" }))
        case .forget: return .forget(try device())
        case .buzz: return .buzz(try device())
        case .check: return .startCheck
        case .startWalk: return .startWalk(try device())
        case .walkRoom:
            let room = Shown.text(form["room"] ?? "", most: InstallerAct.roomLength)
            guard !room.isEmpty else {
                throw ControlError("room: missing, expected the name of the room; go back and type it")
            }
            return .walkRoom(room)
        case .stopWalk: return .stopWalk
        default: return nil
        }
    }
}
