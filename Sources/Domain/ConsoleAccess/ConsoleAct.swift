package import ControlContract

/// Act that a page offers. Its roles are those of its verb at the gateway.
package enum ConsoleAct: Hashable, Sendable, CaseIterable {
    /// "I am fine".
    case abort
    case callHelp
    /// "I have it".
    case acceptAlarm
    /// "It is over".
    case resolve
    /// Yes to the request of a third party.
    case allow
    case refuse
    /// Leaves the request open.
    case later
    case withdraw
    case allowLimits
    case refuseLimits
    /// Changes an item, a note or a contact of the profile.
    case changeProfile
    case drill
    /// Lets the next press of a help button be a test.
    case testButton
    /// Makes a code for an account of TrackMe.
    case linkCode
    /// Begins or ends exercise.
    case exercise
    /// Says whose a measurement is.
    case nameMeasurer
    /// Corrects the results of a run.
    case correctRace
    /// Work on the wearables.
    case scan, addWearable, addBroadcaster, answerPairing, stopSetup, track, forget, buzz
    /// Checks and walks.
    case check, startWalk, walkRoom, stopWalk
    /// A code for one more device, and the end of a device's session. They are the console's own, for installers.
    case newCode
    case revoke
    /// Ends a device that is paired for the person, or says that it is known. The console's own, for the person and the room.
    case endDevice, knowDevice

    /// Nil for an act that the gateway has no part in.
    private var verb: (any ControlVerb.Type)? {
        switch self {
        case .abort: Verb.Abort.self
        case .callHelp: Verb.CallHelp.self
        case .acceptAlarm: Verb.AcceptAlarm.self
        case .resolve: Verb.Resolve.self
        // A right to decide includes the right to put the decision off.
        case .allow, .later: Verb.Accept.self
        case .refuse: Verb.Refuse.self
        case .withdraw: Verb.Withdraw.self
        case .allowLimits: Verb.AcceptLimits.self
        case .refuseLimits: Verb.RefuseLimits.self
        case .changeProfile: Verb.ChangeProfile.self
        case .drill: Verb.Drill.self
        case .testButton: Verb.TestButton.self
        case .linkCode: Verb.LinkCode.self
        case .exercise: Verb.Exercise.self
        case .nameMeasurer: Verb.NameMeasurer.self
        case .correctRace: Verb.CorrectRace.self
        case .scan: Verb.ScanDevices.self
        case .addWearable: Verb.PairDevice.self
        case .addBroadcaster: Verb.AddBroadcaster.self
        case .answerPairing: Verb.AnswerPairing.self
        case .stopSetup: Verb.StopSetup.self
        case .track: Verb.TrackDevice.self
        case .forget: Verb.ForgetDevice.self
        case .buzz: Verb.Buzz.self
        case .check: Verb.StartCheck.self
        case .startWalk: Verb.StartWalk.self
        case .walkRoom: Verb.WalkRoom.self
        case .stopWalk: Verb.StopWalk.self
        case .newCode, .revoke, .endDevice, .knowDevice: nil
        }
    }

    /// False for the cancel of an alarm: a page that was pressed often must still obey.
    package var isLimited: Bool { self != .abort }

    /// Returns whether the gateway may admit the act from this role. The gateway checks it again, with the person.
    package func isOpen(to role: ControlSession.Role) -> Bool {
        if let verb { return verb.rights[role] ?? .no != .no }
        return switch self {
        case .endDevice, .knowDevice: role == .person || role == .room
        default: role == .installer
        }
    }
}
