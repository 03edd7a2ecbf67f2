import CloudCommands
import ControlContract
import GatewayModel
import RealTime
import Synchronization

/// Codes that the house shows, each for one question of an account of TrackMe to be linked to a person. From any thread.
///
/// Without the code of the person nothing is asked in the room. Codes are in memory only: a restart voids them.
final class LinkCodes: Sendable {
    /// Each with its end by the wall clock, for people.
    private typealias Codes = OneTimeCodes<WallTime>

    /// Time to read the code to somebody on the telephone, and to type it. One code a person: a new one replaces the older.
    private static let rules = Codes.Rules(validity: .seconds(600), most: 1)

    private struct State {
        var codes: [PersonID: Codes] = [:]
        var generator = SystemRandomNumberGenerator()
    }

    private let state = Mutex(State())

    /// Makes the code of a person.
    ///
    /// - Parameter person: of the house: each has its own codes in memory.
    /// - Returns: the digits, in two groups.
    func open(for person: PersonID, at now: Moment) -> String {
        state.withLock { state in
            let code = OneTimeCode(of: .digits, using: &state.generator)
            let end = now.wall.advanced(by: Self.rules.validity)
            state.codes[person, default: Codes(Self.rules)].open(code, for: end, at: now.boot)
            return code.grouped
        }
    }

    /// Tries the code of a request.
    ///
    /// - Parameter account: name of the account, as the person reads it.
    /// - Returns: the reason of the refusal; nil for the code of the person. A person without a code, a stranger and a person
    ///   with another code get the same answer, so that it tells nobody who lives in the house.
    func refusal(
        of code: OneTimeCode?, for person: PersonID, from account: String, at now: BootInstant
    ) -> CommandRefusal? {
        guard let code else {
            return CommandRefusal(
                .linkCodeMissing,
                "code: missing, expected the 8 digits that the house shows; see homegateway link-code")
        }
        // No entry for a person without a code: a stranger's names must not fill the memory.
        let outcome = state.withLock { $0.codes[person]?.tryCode(code, from: account, at: now) } ?? .unknown
        return switch outcome {
        case .right: nil
        case .unknown:
            CommandRefusal(
                .linkCodeWrong, "code: not the code that the house shows for this person, or it shows none")
        case .expired, .used, .void:
            CommandRefusal(
                .linkCodeOver,
                "code: it was used, is older than 10 minutes, or 5 wrong tries have voided it; have the house make "
                    + "another one")
        }
    }

    /// Codes of the last 20 minutes, by the order of the persons.
    func shown(of persons: [PersonID], at now: Moment) -> [HouseSnapshot.LinkCode] {
        state.withLock { state in
            persons.compactMap { person in
                state.codes[person]?.newest(at: now.boot).map {
                    HouseSnapshot.LinkCode(person: person, $0.code, $0.standing, expires: $0.grant)
                }
            }
        }
    }
}
