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
    ) throws(ControlError) -> any ControlVerb {
        func end() throws(ControlError) -> Verb.AlarmEnd {
            try .init(alarm: form["alarm"], person: form["person"], reason: form["reason"], by: caller)
        }
        func decision() throws(ControlError) -> Verb.Decision {
            try .init(subject: form["request"], person: nil, by: caller, pin: form["pin"])
        }
        func limits() throws(ControlError) -> Verb.LimitDecision {
            try .init(person: form["person"], kind: form["kind"], by: caller, pin: form["pin"])
        }
        func person() throws(ControlError) -> Verb.OnPerson { try .init(person: form["person"], by: caller) }
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
        case .abort: return Verb.Abort(try end())
        case .acceptAlarm: return Verb.AcceptAlarm(try end())
        case .resolve: return Verb.Resolve(try end())
        case .callHelp: return try Verb.CallHelp(person: form["person"], alarm: form["alarm"], by: caller)
        case .allow: return Verb.Accept(try decision())
        case .refuse: return Verb.Refuse(try decision())
        case .withdraw: return Verb.Withdraw(try decision())
        case .allowLimits: return Verb.AcceptLimits(try limits())
        case .refuseLimits: return Verb.RefuseLimits(try limits())
        case .drill: return Verb.Drill(try person())
        case .linkCode: return Verb.LinkCode(try person())
        case .testButton: return Verb.TestButton(try person())
        case .exercise:
            return try Verb.Exercise(
                person: form["person"], minutes: form["minutes"].flatMap { Int($0) }, by: caller)
        case .nameMeasurer:
            return try Verb.NameMeasurer(measurement: form["measurement"], person: form["person"], by: caller)
        case .scan: return try Verb.ScanDevices(by: caller)
        case .addWearable:
            return Verb.PairDevice(
                id: try device(), address: try address(), person: try ControlField.person.id(form["person"]),
                isBonded: form["bond"] != "no", by: caller)
        case .addBroadcaster:
            let meanings = SignalEvent.allCases.compactMap { event in
                form[event.rawValue].flatMap { $0.isEmpty ? nil : (event: event.rawValue, meaning: $0) }
            }
            return try Verb.AddBroadcaster(
                id: try device(), address: try address(), person: try ControlField.person.id(form["person"]),
                key: form["key"]?.filter { !$0.isWhitespace }, meanings: meanings, by: caller)
        case .answerPairing:
            return try Verb.AnswerPairing((form["answer"] ?? "").filter { !$0.isWhitespace }, by: caller)
        case .stopSetup: return Verb.StopSetup(by: caller)
        case .track:
            let kind = try ControlField(
                "kind", expected: "a kind of reading", remedy: "go back to the wearables"
            ).value(form["kind"]) { QuantityKind(rawValue: $0) }
            return Verb.TrackDevice(
                device: try device(), kind: kind, isOn: form["on"] == "yes",
                isSOSSource: form["sos"].map { $0 == "yes" }, by: caller)
        case .forget: return Verb.ForgetDevice(try device(), by: caller)
        case .buzz: return Verb.Buzz(try device(), by: caller)
        case .check: return Verb.StartCheck(by: caller)
        case .startWalk: return Verb.StartWalk(try device(), by: caller)
        case .walkRoom:
            return try Verb.WalkRoom(Shown.text(form["room"] ?? "", most: Verb.WalkRoom.length), by: caller)
        case .stopWalk: return Verb.StopWalk(by: caller)
        case .later, .changeProfile, .newCode, .revoke, .endDevice, .knowDevice, .correctRace:
            throw ControlError("\(act): saw an act of the console, expected one of the gateway")
        }
    }
}
