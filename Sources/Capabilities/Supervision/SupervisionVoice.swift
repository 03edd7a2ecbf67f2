package import GatewayModel
import Hub

/// When the house is told aloud that nobody is watched over for the moment, and that it is over. Pure.
///
/// Mistakes in the settings are said at once. A condition that passes by itself is not said; a lasting one is said
/// once, and at night it waits for the morning. An alarm is none of its business. Batteries, the mains, a failed drill, the
/// box's own button and the loss of all ways to help have sentences of their own, which do not say that supervision is paused.
struct SupervisionVoice: Hashable, Sendable {
    enum Word: Hashable, Sendable {
        case paused(HealthCondition)
        /// Said at once: it does not pass by itself.
        case settings(HealthCondition)
        /// Nothing of what was said holds any more.
        case back
        /// A trouble with a sentence of its own.
        case trouble(HealthCondition)
        case troubleOver(HealthCondition)
    }

    /// A shower with the strap off is over by then; a strap that fell off at breakfast is told before lunch.
    static let patience = Duration.seconds(120)

    private let patience: Duration
    private var since: [HealthCondition: BootInstant] = [:]
    private var said: Set<HealthCondition> = []
    private var saidOfSettings: Set<HealthCondition> = []
    private var saidOfTroubles: Set<HealthCondition> = []

    init(after patience: Duration = SupervisionVoice.patience) {
        self.patience = patience
    }

    /// - Parameters:
    ///   - conditions: all that hold; only those of severity `supervision` are spoken of.
    ///   - isAwake: whether those in the house may be spoken to.
    mutating func see(_ conditions: [HealthCondition], at now: BootInstant, isAwake: Bool) -> [Word] {
        let troubles = conditions.filter { $0.troublePatience(patience) != nil }
        let holding = conditions.filter {
            $0.code.declaration.severity == .supervision && !$0.isOfSettings && !troubles.contains($0)
        }
        let ended = Set(since.keys).subtracting(holding + troubles)
        for condition in ended { since[condition] = nil }
        for condition in holding + troubles where since[condition] == nil { since[condition] = now }
        let wrong = conditions.filter(\.isOfSettings)
        saidOfSettings.formIntersection(wrong)
        guard isAwake else { return [] }
        let news = wrong.filter { saidOfSettings.insert($0).inserted }
        // In the order of the listing.
        let lasting = holding.filter { condition in
            !said.contains(condition) && (since[condition]?.duration(to: now) ?? .zero) >= patience
        }
        said.formUnion(lasting)
        return news.map { .settings($0) } + lasting.map { .paused($0) } + back(holding)
            + words(of: troubles, at: now)
    }

    private mutating func words(of troubles: [HealthCondition], at now: BootInstant) -> [Word] {
        let over = saidOfTroubles.subtracting(troubles).sorted {
            ($0.code.rawValue, $0.subject ?? "") < ($1.code.rawValue, $1.subject ?? "")
        }
        saidOfTroubles.formIntersection(troubles)
        let lasting = troubles.filter { condition in
            guard let patience = condition.troublePatience(patience), let since = since[condition] else {
                return false
            }
            return since.duration(to: now) >= patience && saidOfTroubles.insert(condition).inserted
        }
        return over.map { .troubleOver($0) } + lasting.map { .trouble($0) }
    }

    /// Once all is well again. A condition that ended while others of those said go on is not news yet: it may
    /// be said again if it comes again.
    private mutating func back(_ holding: [HealthCondition]) -> [Word] {
        guard !said.isEmpty else { return [] }
        let remaining = said.intersection(holding)
        defer { said = remaining }
        return remaining.isEmpty ? [.back] : []
    }
}

extension HealthCode {
    /// Whether the house says it aloud, within the waking hours.
    package var isSpoken: Bool {
        let condition = HealthCondition(self)
        return declaration.severity == .supervision || condition.isOfSettings
            || condition.troublePatience(.zero) != nil
    }
}

extension HealthCondition {
    /// Time after which a trouble with a sentence of its own is said; nil for every other condition.
    fileprivate func troublePatience(_ usual: Duration) -> Duration? {
        switch code {
        case .batteryLow, .sosButtonUntested, .houseButtonDead: usual
        // The ways were dead for a minute before: it is said within two minutes.
        case .helpUnreachable: min(.seconds(15), usual)
        // Read every 5 s: three readings in a row are no flicker.
        case .mainsLost, .houseBatteryLow: min(.seconds(15), usual)
        case .drillFailed: .zero
        default: nil
        }
    }

    /// A mistake in the settings that run.
    fileprivate var isOfSettings: Bool {
        switch code {
        case .settingsEntrySetAside, .settingIgnored, .settingsRefused, .nobodyToCall: true
        default: false
        }
    }
}
