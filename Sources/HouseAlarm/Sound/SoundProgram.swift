import GatewayModel
import SOSLocal

/// What is sounded when: burst, speech, silence, burst, until the alarm has ended. Pure; played by
/// `HouseSounder`.
///
/// - The alarm of the highest priority sounds; of several such, one after the other. A new or higher one
///   interrupts what is spoken, a higher one also the tone.
/// - A tone waits for nothing: not for a voice, not for an announcement. Words go in between, where they are
///   ready.
/// - Technical announcements wait until no alarm is open.
struct SoundProgram: Sendable {
    private struct Sounding {
        var alarm: OpenAlarm
        var bursts = 0
        var lastBurst: BootInstant?
        /// Nil where it has sounded as often as it should.
        var nextBurst: BootInstant?
        /// To be said after the last burst.
        var speech: Utterance?

        var id: AlarmID { alarm.notice.alarm }
        var priority: AlarmPriority { alarm.notice.priority }

        func isDue(at now: BootInstant) -> Bool { nextBurst.map { $0 <= now } ?? false }

        func isLonger(silentThan other: Self) -> Bool {
            guard let mine = lastBurst else { return true }
            guard let theirs = other.lastBurst else { return false }
            return mine < theirs
        }
    }

    private let phrases: HousePhrases
    private let loudness: Loudness
    private var soundings: [Sounding] = []
    private var announcements = Announcements()
    /// What may be wanted soon.
    private var expected: [Utterance] = []

    init(phrases: HousePhrases, loudness: Loudness) {
        self.phrases = phrases
        self.loudness = loudness
    }

    // MARK: What is heard

    mutating func hear(_ word: HouseWord, at now: BootInstant) {
        switch word {
        case .alarm(let notice): hear(notice, at: now)
        case .progress(let id, let progress):
            guard let index = index(of: id) else { return }
            soundings[index].alarm.hear(progress)
            expect(soundings[index].alarm, at: now)
        case .ended(let notice, _):
            soundings.removeAll { $0.id == notice.alarm }
            announce(word, .alarm, at: now)
        case .nobodyCalled, .notRetracted: announce(word, .alarm, at: now)
        case .supervision(let person, let isPaused):
            announce(word, .technical(person, .supervision), tone: isPaused ? .low : nil, at: now)
        case .batteryLow(let person, _): announce(word, .technical(person, .battery), at: now)
        }
    }

    private mutating func hear(_ notice: AlarmNotice, at now: BootInstant) {
        if let index = index(of: notice.alarm) {
            soundings[index].alarm.hear(notice)
            soundings[index].bursts = max(soundings[index].bursts, notice.repetition)
            soundings[index].nextBurst = soundings[index].nextBurst ?? now
            expect(soundings[index].alarm, at: now)
        } else {
            let alarm = OpenAlarm(notice)
            soundings.append(Sounding(alarm: alarm, bursts: notice.repetition, nextBurst: now))
            expect(alarm, at: now)
        }
    }

    private mutating func announce(
        _ word: HouseWord, _ matter: Announcements.Matter, tone: AlarmPriority? = nil, at now: BootInstant
    ) {
        guard let utterance = phrases.announcement(word, at: now) else { return }
        announcements.add(Announcements.Announcement(utterance: utterance, matter: matter, tone: tone))
    }

    /// The words after the next burst, and after the end of the window.
    private mutating func expect(_ alarm: OpenAlarm, at now: BootInstant) {
        let afterBurst = now.advanced(by: AlarmTones.burst(alarm.notice.priority).duration)
        expected.append(phrases.speech(of: alarm, at: afterBurst))
        if let end = alarm.notice.windowEnd, end > now { expected.append(phrases.speech(of: alarm, at: end)) }
    }

    /// What a voice should render, the most urgent first. `expected` is given out once.
    mutating func wanted() -> [Utterance] {
        defer { expected = [] }
        return soundings.sorted { $0.priority > $1.priority }.compactMap(\.speech) + expected
            + announcements.utterances
    }

    /// A voice could not say it: the tone has to do.
    mutating func cannotSay(_ utterance: Utterance) {
        for index in soundings.indices where soundings[index].speech == utterance {
            soundings[index].speech = nil
        }
        announcements.remove(utterance)
    }

    // MARK: What is played

    var isSilent: Bool { soundings.isEmpty && announcements.utterances.isEmpty }

    /// What to play now.
    /// - Parameter isReady: whether a voice has rendered it.
    func next(at now: BootInstant, isReady: (Utterance) -> Bool) -> SoundPiece {
        let leading = leading
        if let new = leading.first(where: { $0.lastBurst == nil && $0.isDue(at: now) }) {
            return burst(of: new)
        }
        if let speaking = leading.first(where: { !$0.isDue(at: now) && $0.speech.map(isReady) == true }),
            let speech = speaking.speech
        {
            return .speech(speech, of: speaking.id, amplitude: amplitude(afterBurstOf: speaking))
        }
        if let due = leading.filter({ $0.isDue(at: now) }).min(by: { $0.isLonger(silentThan: $1) }) {
            return burst(of: due)
        }
        if let next = announcements.first(withTechnical: soundings.isEmpty, where: isReady) {
            if let tone = next.tone { return .burst(tone, of: nil, amplitude: loudness.start) }
            let loudest = leading.map { amplitude(afterBurstOf: $0) }.max()
            return .announcement(next.utterance, amplitude: loudest ?? loudness.amplitude(repetition: 2))
        }
        return .rest(until: leading.compactMap(\.nextBurst).min())
    }

    /// Whether something else has to be played at once, or nobody wants to hear it any more.
    func isOutdated(_ piece: SoundPiece, at now: BootInstant) -> Bool {
        switch piece {
        case .burst(let priority, let id, _):
            if let id, index(of: id) == nil { return true }
            return soundings.contains { $0.isDue(at: now) && (id == nil || $0.priority > priority) }
        case .speech(_, let id, _):
            guard let index = index(of: id) else { return true }
            let priority = soundings[index].priority
            return soundings.contains { other in
                other.isDue(at: now)
                    && (other.priority > priority || other.priority == priority && other.lastBurst == nil)
            } || isTooLong(soundings[index], at: now)
        case .announcement, .rest: return leading.contains { $0.isDue(at: now) }
        }
    }

    /// Words move the next burst, but never so far that the tone is too seldom.
    private func isTooLong(_ sounding: Sounding, at now: BootInstant) -> Bool {
        guard let last = sounding.lastBurst else { return true }
        return now >= last.advanced(by: AlarmTones.burst(sounding.priority).interval.upperBound)
    }

    mutating func began(_ piece: SoundPiece, at now: BootInstant) {
        guard case .burst(_, let id?, _) = piece, let index = index(of: id) else { return }
        let end = now.advanced(by: AlarmTones.burst(soundings[index].priority).duration)
        soundings[index].lastBurst = now
        soundings[index].nextBurst = nil
        soundings[index].speech = phrases.speech(of: soundings[index].alarm, at: end)
    }

    /// - Parameter isWhole: false where it was interrupted.
    mutating func finished(_ piece: SoundPiece, isWhole: Bool, at now: BootInstant) {
        switch piece {
        case .burst(let priority, let id?, _):
            // One that never began is as due as before.
            guard let index = index(of: id), soundings[index].nextBurst == nil else { return }
            soundings[index].bursts += 1
            soundings[index].lastBurst = now
            // A note is sounded once.
            soundings[index].nextBurst =
                !isWhole
                ? now
                : priority == .low ? nil : now.advanced(by: AlarmTones.burst(priority).interval.lowerBound)
        case .burst(_, nil, _): if isWhole { announcements.toneSounded() }
        case .speech(_, let id, _):
            guard let index = index(of: id) else { return }
            spoken(index, isWhole: isWhole, at: now)
        case .announcement(let utterance, _): if isWhole { announcements.remove(utterance) }
        case .rest: break
        }
    }

    /// What a higher alarm broke off is said anew after its own next tone.
    private mutating func spoken(_ index: Int, isWhole: Bool, at now: BootInstant) {
        soundings[index].speech = nil
        guard isWhole else {
            soundings[index].nextBurst = soundings[index].nextBurst ?? now
            return
        }
        guard let next = soundings[index].nextBurst, let last = soundings[index].lastBurst else { return }
        let latest = last.advanced(by: AlarmTones.burst(soundings[index].priority).interval.upperBound)
        soundings[index].nextBurst = min(max(next, now.advanced(by: Self.pause)), max(latest, next))
    }

    /// Between the last word and the next tone.
    private static let pause = Duration.seconds(1)

    // MARK: Who sounds

    private func index(of id: AlarmID) -> Int? { soundings.firstIndex { $0.id == id } }

    private var leading: [Sounding] {
        let highest = soundings.map(\.priority).max()
        return soundings.filter { $0.priority == highest }
    }

    private func burst(of sounding: Sounding) -> SoundPiece {
        .burst(
            sounding.priority, of: sounding.id, amplitude: loudness.amplitude(repetition: sounding.bursts))
    }

    private func amplitude(afterBurstOf sounding: Sounding) -> Double {
        loudness.amplitude(repetition: max(sounding.bursts - 1, 0))
    }
}
