import Consent
import GatewayModel

/// Requests of the console's sessions: bound to the person of the session, under its name and means.
extension ControlRequest {
    /// Payload of the three acts about one alarm.
    var alarmEnd: AlarmEnd? { abort ?? resolve ?? acceptAlarm }

    /// Person whom it names; nil where it names none, or is about no person.
    var person: PersonID? {
        switch self {
        case .abort(let end), .resolve(let end), .acceptAlarm(let end): end.person
        case .callHelp(let call): call.person
        case .alarms(let page): page.person
        case .exercise(let exercise): exercise.person
        case .drill(let drill), .testButton(let drill), .linkCode(let drill), .devicePaired(let drill):
            drill.person
        case .nameMeasurer(let answer): answer.person
        case .accept(let decision), .refuse(let decision), .withdraw(let decision):
            switch decision.subject {
            case .policy(_, let person): person
            case .request(_, let person): person
            }
        case .consentHistory(let person): person
        case .history(let history): history.person
        case .myData(let page): page.person
        case .eraseMyData(let erasure): erasure.person
        case .acceptLimits(let decision), .refuseLimits(let decision): decision.person
        case .profile(let person), .limits(let person), .channels(let person): person
        case .changeProfile(let edit): edit.person
        case .changeLimits(let edit): edit.person
        case .changeChannel(let edit): edit.person
        case .status, .watch, .follow, .consents, .consentRequest, .rotateHistoryKey, .reload,
            .reloadSettings, .confirmBattery, .raceSelfTest, .runs, .positions, .reloadRuns,
            .runnerVitals, .limitQuestions, .race, .correctRace, .install:
            nil
        }
    }

    /// The same request about this person, where it named nobody.
    func about(_ person: PersonID) -> ControlRequest {
        switch self {
        case .abort(var end):
            end.person = end.alarm == nil ? person : end.person
            return .abort(end)
        case .resolve(var end):
            end.person = end.alarm == nil ? person : end.person
            return .resolve(end)
        case .acceptAlarm(var end):
            end.person = end.alarm == nil ? person : end.person
            return .acceptAlarm(end)
        case .callHelp(var call):
            call.person = person
            return .callHelp(call)
        case .accept(let decision): return .accept(decision.about(person))
        case .refuse(let decision): return .refuse(decision.about(person))
        case .withdraw(let decision): return .withdraw(decision.about(person))
        case .consentHistory: return .consentHistory(person)
        default: return self
        }
    }

    /// The same request under the name and the means of a session.
    func named(by session: ControlSession) -> ControlRequest {
        let caller = Caller(session)
        func named<Payload>(_ payload: Payload, _ name: WritableKeyPath<Payload, Caller>) -> Payload {
            var payload = payload
            payload[keyPath: name] = caller
            return payload
        }
        return switch self {
        case .abort(let end): .abort(named(end, \.caller))
        case .resolve(let end): .resolve(named(end, \.caller))
        case .acceptAlarm(let end): .acceptAlarm(named(end, \.caller))
        case .callHelp(let call): .callHelp(named(call, \.caller))
        case .exercise(let exercise): .exercise(named(exercise, \.caller))
        case .drill(let drill): .drill(named(drill, \.caller))
        case .testButton(let test): .testButton(named(test, \.caller))
        case .linkCode(let drill): .linkCode(named(drill, \.caller))
        case .devicePaired(let device): .devicePaired(named(device, \.caller))
        case .nameMeasurer(let answer): .nameMeasurer(named(answer, \.caller))
        case .accept(let decision): .accept(named(decision, \.caller))
        case .refuse(let decision): .refuse(named(decision, \.caller))
        case .withdraw(let decision): .withdraw(named(decision, \.caller))
        case .eraseMyData(let erasure): .eraseMyData(named(erasure, \.caller))
        case .confirmBattery(let change): .confirmBattery(named(change, \.caller))
        case .acceptLimits(let decision): .acceptLimits(named(decision, \.caller))
        case .refuseLimits(let decision): .refuseLimits(named(decision, \.caller))
        case .changeProfile(let edit): .changeProfile(named(edit, \.caller))
        case .changeLimits(let edit): .changeLimits(named(edit, \.caller))
        case .changeChannel(let edit): .changeChannel(named(edit, \.caller))
        case .correctRace(let edit): .correctRace(named(edit, \.caller))
        case .install(let act): .install(named(act, \.caller))
        case .status, .watch, .follow, .consents, .consentRequest, .consentHistory, .history,
            .rotateHistoryKey, .myData, .reload, .reloadSettings, .raceSelfTest, .runs, .positions,
            .reloadRuns, .runnerVitals, .profile, .limits, .channels, .limitQuestions, .alarms, .race:
            self
        }
    }
}

extension ControlRequest {
    private var decision: Decision? { accept ?? refuse ?? withdraw }
    private var limitDecision: LimitDecision? { acceptLimits ?? refuseLimits }

    /// Request of a third party that is decided.
    var decidedRequest: RequestID? {
        if case .request(let id, _) = decision?.subject { id } else { nil }
    }

    /// Digits that came with a decision.
    var pin: String? { decision?.pin ?? limitDecision?.pin }

    /// The same decision as one of the person, by the PIN.
    func decided(as person: PersonID) -> ControlRequest {
        func decided(_ decision: Decision) -> Decision {
            var decision = decision
            decision.caller.decider = person.text
            return decision
        }
        func decided(_ decision: LimitDecision) -> LimitDecision {
            var decision = decision
            decision.caller.decider = person.text
            return decision
        }
        return switch self {
        case .accept(let decision): .accept(decided(decision))
        case .refuse(let decision): .refuse(decided(decision))
        case .withdraw(let decision): .withdraw(decided(decision))
        case .acceptLimits(let decision): .acceptLimits(decided(decision))
        case .refuseLimits(let decision): .refuseLimits(decided(decision))
        default: self
        }
    }
}

extension ControlRequest.Decision {
    /// A request of a third party is then refused where it is about somebody else.
    func about(_ person: PersonID) -> Self {
        guard case .request(let id, nil) = subject else { return self }
        var decision = self
        decision.subject = .request(id, of: person)
        return decision
    }
}
