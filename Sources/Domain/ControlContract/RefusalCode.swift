package import Consent
package import SOSLocal

/// Reason of a refusal that a page may meet. The pages have words for each in their language; the lines of the reply are for
/// the command line. A released name never changes.
package enum RefusalCode: String, CaseIterable, Hashable, Sendable {
    // Rights of a session.
    case notForRole = "not-for-role"
    case otherPerson = "other-person"
    case readingsNotShown = "readings-not-shown"
    case notADecider = "not-a-decider"
    case reasonMissing = "reason-missing"
    case drillsOnly = "drills-only"
    case noAnswersHere = "no-answers-here"
    case pinMissing = "pin-missing"
    case pinWrong = "pin-wrong"
    case pinLocked = "pin-locked"

    // Alarms.
    case nobodyCalledYet = "nobody-called-yet"
    case alarmOver = "alarm-over"
    case recallUnderWay = "recall-under-way"
    case unknownAlarm = "unknown-alarm"
    case nothingOpen = "nothing-open"
    case severalOpen = "several-open"
    case endNotAllowed = "end-not-allowed"
    case unknownPerson = "unknown-person"
    case emergencyOpen = "emergency-open"
    case drillUnderWay = "drill-under-way"

    // Decisions about data.
    case dataPolicyFirst = "data-policy-first"
    case unknownRequest = "unknown-request"
    case requestOver = "request-over"
    case requestGranted = "request-granted"
    case requestNotGranted = "request-not-granted"
    case notDecidable = "not-decidable"
    case noAccounts = "no-accounts"

    // Values that belong to a person.
    case wrongText = "wrong-text"
    case outOfBounds = "out-of-bounds"
    case busy
    case notKept = "not-kept"

    // Wearables.
    case unknownWearable = "unknown-wearable"
    case notConnected = "not-connected"
    case cannotBuzz = "cannot-buzz"
    case alarmComesFirst = "alarm-comes-first"
    case radioFailed = "radio-failed"
    case notHeard = "not-heard"
    case keyMalformed = "key-malformed"
    case keyMissing = "key-missing"
    case keyUnused = "key-unused"
    case keyWrong = "key-wrong"
    case meaningMissing = "meaning-missing"
    case measurementOver = "measurement-over"

    // Stored data.
    case historyOff = "history-off"
    case notReadable = "not-readable"

    package init(_ refusal: Alarm.Refusal) {
        self =
            switch refusal {
            case .notDispatchedYet: .nobodyCalledYet
            case .alreadyEnded: .alarmOver
            case .alreadyRetracted: .recallUnderWay
            case .unknownAlarm: .unknownAlarm
            case .nothingOpen: .nothingOpen
            case .severalOpen: .severalOpen
            case .notAllowed: .endNotAllowed
            case .unknownPerson: .unknownPerson
            case .emergencyOpen: .emergencyOpen
            case .drillOpen: .drillUnderWay
            // Of a press, which no page makes.
            case .hasJustCalled: .endNotAllowed
            }
    }

    package init(_ refusal: ConsentLedger.Refusal) {
        self =
            switch refusal {
            case .unknownPerson: .unknownPerson
            case .dataPolicyFirst: .dataPolicyFirst
            case .notAllowed: .notADecider
            case .unknownRequest: .unknownRequest
            case .requestOver: .requestOver
            case .requestGranted: .requestGranted
            case .requestNotGranted: .requestNotGranted
            // Of requests and parties, which no page makes or changes.
            case .requestDiffers, .tooManyRequests, .partyDiffers, .unknownParty, .partyKeyFixed: .notDecidable
            }
    }
}
