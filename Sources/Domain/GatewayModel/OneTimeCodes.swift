/// Open one-time codes and the tries against them. Pure; in memory only, so that a restart voids every code.
///
/// Every code works once. A wrong try counts against all open codes, because it can be meant for any of them. A code that no
/// longer works is kept for a while, so that its owner learns why: a stranger may have used it or voided it.
package struct OneTimeCodes<Grant: Hashable & Sendable>: Sendable {
    /// Limits of the codes of one purpose.
    package struct Rules: Sendable {
        /// Validity of a code.
        package let validity: Duration
        /// Maximum number of codes. The oldest gives way, and one that no longer works before it.
        package let most: Int

        package init(validity: Duration, most: Int) { (self.validity, self.most) = (validity, most) }
    }

    /// Result of a try.
    package enum Outcome: Hashable, Sendable {
        case right(Grant)
        /// No code that was given out a short time ago.
        case unknown
        case expired
        /// It has been used already.
        case used(byOther: Bool)
        /// Wrong tries have voided the code.
        case void(byOther: Bool)
    }

    /// State of a code, for its owner.
    package enum Standing: Hashable, Sendable { case open, used, void, expired }

    private struct Opening: Sendable {
        let code: OneTimeCode
        let grant: Grant
        let expires: BootInstant
        /// Visitors that have tried a wrong code since it was opened.
        var wrong: [String] = []
        /// Visitor that has used it.
        var user: String?

        func standing(at now: BootInstant) -> Standing {
            if user != nil { return .used }
            if wrong.count >= OneTimeCodes.tries { return .void }
            return now < expires ? .open : .expired
        }
    }

    /// Time after its validity in which its owner still learns why a code does not work.
    private static var memory: Duration { .seconds(600) }
    /// Wrong tries that void a code.
    private static var tries: Int { 5 }

    private let rules: Rules
    private var openings: [Opening] = []

    package init(_ rules: Rules) { self.rules = rules }

    /// Opens a code: the visitor that gives it first gets the grant.
    package mutating func open(_ code: OneTimeCode, for grant: Grant, at now: BootInstant) {
        openings.removeAll { $0.code.matches(code) || $0.expires.advanced(by: Self.memory) <= now }
        if openings.count >= rules.most {
            openings.remove(at: openings.firstIndex { $0.standing(at: now) != .open } ?? 0)
        }
        openings.append(
            Opening(code: code, grant: grant, expires: now.advanced(by: rules.validity)))
    }

    /// Tries a text that a visitor sent.
    ///
    /// - Parameters:
    ///   - code: nil for a text that is no code.
    ///   - visitor: tells visitors apart.
    package mutating func tryCode(_ code: OneTimeCode?, from visitor: String, at now: BootInstant) -> Outcome {
        var found: Int?
        // Every code is compared, so that the time does not tell a place in the list.
        for (index, opening) in openings.enumerated() {
            if let code, opening.code.matches(code) { found = index }
        }
        guard let found else {
            for index in openings.indices where openings[index].standing(at: now) == .open {
                openings[index].wrong.append(visitor)
            }
            return .unknown
        }
        let opening = openings[found]
        switch opening.standing(at: now) {
        case .open:
            openings[found].user = visitor
            return .right(opening.grant)
        case .used: return .used(byOther: opening.user != visitor)
        case .void: return .void(byOther: opening.wrong.contains { $0 != visitor })
        case .expired: return .expired
        }
    }

    /// The newest code with its grant and its state. Nil where there is none, or it expired a while ago.
    package func newest(at now: BootInstant) -> (code: OneTimeCode, grant: Grant, standing: Standing)? {
        guard let last = openings.last, now < last.expires.advanced(by: Self.memory) else { return nil }
        return (last.code, last.grant, last.standing(at: now))
    }
}
