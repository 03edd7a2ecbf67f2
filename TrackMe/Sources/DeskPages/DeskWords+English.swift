import ContractReading
import Desk
import GatewayModel

extension DeskWords {
    func english(_ text: Text) -> String {
        switch text {
        case .desk: "Emergency desk"
        case .open: "Open calls"
        case .show: "Show the call"
        case .ended: "Ended calls"
        case .noCalls: "No call is open."
        case .signOut: "Sign out"
        case .lost:
            "This page has lost the server. Calls may be missing here. Reload it, or use another device."
        case .soundOn: "The sound is off: turn it on"
        case .present(let count):
            count == 1 ? "1 dispatcher is at the desk" : "\(count) dispatchers are at the desk"
        case .drill: "REHEARSAL: send nobody"
        case .partial: "A part of the message could not be read. The call is valid."
        case .age: "Age"
        case .cause: "Cause"
        case .person: "Person"
        case .house: "House"
        case .state: "State"
        case .work: "Desk"
        case .round(let number): "round \(number)"
        case .pending: "The person can still cancel"
        case .confirmed: "Help is needed"
        case .possible: "Possible, not certain: the values are doubtful"
        case .waiting: "Nobody has taken it"
        case .overBy(let state, let by):
            "\(state == .cancelled ? "Cancelled by the house" : state == .resolved ? "Resolved in the house" : state == .accepted ? "Accepted elsewhere" : "The rehearsal ran out")\(by.map { ": \($0)" } ?? "")"
        case .takenBy(let name): "Taken by \(name)"
        case .yours: "You have this call"
        case .closedBy(let name, let outcome): "Closed by \(name): \(say(.outcomes(outcome)))"
        case .mustClose: "Close it below when your work is done."
        case .take: "TAKE THIS CALL"
        case .release: "Give it back"
        case .close: "Close the call"
        case .note: "Note"
        case .addNote: "Add the note"
        case .outcome: "Outcome"
        case .outcomes(let outcome):
            switch outcome {
            case .helpSent: "help was sent"
            case .spokenTo: "spoken to, no help needed"
            case .falseAlarm: "false alarm"
            case .handedOver: "handed over to another service"
            case .rehearsed: "rehearsal answered"
            case .other: "other, see the note"
            }
        case .name: "Name"
        case .address: "Address"
        case .phone: "Telephone"
        case .born(let year): "born \(year)"
        case .notes: "Notes for helpers"
        case .contacts: "Contacts, in this order"
        case .unknown: "not known"
        case .trend: "Last minutes"
        case .log: "Log"
        case .identityMissing: "The house has sent no identity for this call."
        case .place: "Place"
        case .placeOf(let source, let of):
            source == "installed"
                ? "Installed address of the box"
                : "\(source == "fix" ? "Current" : "Last known") position of \(of == "wearable" ? "the person's own device" : "the box")"
        case .accuracy(let metres): "within \(metres) m"
        case .ageOfPlace(let seconds): seconds < 120 ? "\(seconds) s old" : "\(seconds / 60) min old"
        case .coordinates: "Coordinates"
        case .map: "Map of the place, north is up"
        case .metres(let count): count < 1_000 ? "\(count) m" : "\(count / 1_000) km"
        case .noPlace: "The house has sent no place for this call."
        case .limit: "limit"
        case .value: "Value"
        case .newest: "newest"
        case .time: "Time"
        case .ringing(let count): count == 1 ? "1 call waits for somebody" : "\(count) calls wait for somebody"
        case .folded(let count, let house):
            count == 1
                ? "1 more open call of the house \(house)" : "\(count) more open calls of the house \(house)"
        case .foldedAge: "The age is that of the oldest."
        case .showFold: "Show them"
        case .furtherOf(let house): "More open calls of the house \(house)"
        case .closeTogether(let count): count == 1 ? "Close 1 call" : "Close \(count) calls together"
        case .closeTogetherHint:
            "Closes those above that nobody has taken. The house is told nothing: if it goes on calling, a call opens again."
        case .takingTimes(let times):
            times.calls == 0
                ? "No call of the last \(TakingTimes.days) days has been measured."
                : "Of \(times.calls) calls of the last \(TakingTimes.days) days, \(TakingTimes.percent(times.withinMinute, of: times.calls)) % were taken within \(TakingTimes.soon) s and \(TakingTimes.percent(times.withinThree, of: times.calls)) % within \(TakingTimes.late) s."
        case .untouched(let name): "\(name) has done nothing for it for 5 minutes. Ask, or take it over."
        case .holderAway(let name): "\(name) is not at the desk: no page of theirs is in view."
        case .takeOver: "Take the call over"
        case .reason: "Reason"
        case .takeOverHint(let name):
            "Possible while \(name) is not at the desk, or has done nothing for the call for 5 minutes."
        case .keepOn: "I am still on it"
        case .obstacle(.broker): "CALLS CANNOT ARRIVE: the broker does not answer this server."
        case .obstacle(.database): "CALLS CANNOT ARRIVE: the database does not answer this server."
        case .canArrive: "Calls can arrive."
        case .mayArrive: "This server has just started: whether calls can arrive is not known yet."
        case .newestMessage(let seconds): "The newest sign of life of a house is \(age(seconds)) old."
        case .silent(let seconds):
            "CALLS MAY NOT ARRIVE: no house has given a sign of life for \(age(seconds)). Check the broker and its network."
        case .acceptanceSent: "The broker has the acceptance; the house stops calling."
        case .acceptanceWaits: "The acceptance is on its way to the house."
        case .acceptanceRefused(let reason):
            "The broker refuses the acceptance: \(reason). Call the house by telephone."
        case .refused(let refusal): refused(refusal)
        case .entry(let entry): line(entry)
        case .forwarding(let standing, let minutes): forwarding(standing, minutes)
        case .minutes(let count): count == 1 ? "1 minute" : "\(count) minutes"
        case .back: "All calls"
        }
    }

    private func refused(_ refusal: DeskRefusal) -> String {
        switch refusal {
        case .unknownCall: "There is no such call."
        case .taken(let by, _): "\(by.name) has this call."
        case .notTaken: "Take the call first."
        case .holderPresent(let by, _):
            "\(by.name) has this call, is at the desk, and has worked on it in the last 5 minutes."
        case .closed(let by, _): "\(by.name) has closed this call."
        case .over(let state, let by): say(.overBy(state, by)) + ". There is nothing to take."
        case .emptyNote: "The text is empty."
        case .noteTooLong(let limit): "The text is longer than \(limit) characters."
        case .tooManyNotes: "The call has as many notes as it can hold."
        }
    }

    private func forwarding(_ standing: CallForwarding.Standing, _ minutes: Int) -> String {
        switch standing {
        case .none: ""
        case .waitsForDispatcher: "Handed on to the outside service in a moment, unless somebody takes it"
        case .unanswered: "Being handed on: the outside service has not answered yet"
        case .failing(let failure):
            "NOT HANDED ON for \(say(.minutes(minutes))): \(failure.reason). Call the service by telephone."
        case .handedOver: "The outside service has the call; no person there has confirmed it"
        case .accepted(let acceptance): "Taken at the outside service by \(acceptance.by)"
        case .withdrawn: "The outside service knows that the call is over"
        }
    }

    private func line(_ entry: EmergencyCall.Entry) -> String {
        switch entry {
        case .message(let state, let round, _):
            "The house: \(state.rawValue)" + (round.map { ", round \($0)" } ?? "")
        case .taken(let dispatcher): "\(dispatcher.name) took the call"
        case .released(let dispatcher): "\(dispatcher.name) gave the call back"
        case .takenOver(let dispatcher, let holder, let reason):
            "\(dispatcher.name) took the call over from \(holder.name): \(reason)"
        case .keptOn(let dispatcher): "\(dispatcher.name) is still on it"
        case .noted(let dispatcher, let text): "\(dispatcher.name): \(text)"
        case .closed(let dispatcher, let outcome, let note):
            "\(dispatcher.name) closed the call: \(say(.outcomes(outcome)))" + (note.isEmpty ? "" : ". \(note)")
        case .reopened: "The house went on calling: the call is open again"
        case .acceptanceDelivered(let dispatcher): "The broker has the acceptance by \(dispatcher.name)"
        case .acceptanceRefused(let reason): "The broker refuses the acceptance: \(reason)"
        case .forwarded(let kind, let number): "The outside service has message \(number): \(kind.rawValue)"
        case .forwardingFailed(let reason): "Not handed on: \(reason)"
        case .forwardingGivenUp(let reason): "Given up, not handed on: \(reason)"
        case .acceptedOutside(let name): "Taken at the outside service by \(name)"
        }
    }
}
