import Audio
import GatewayModel
import Phrases
import SOSLocal

/// Schedule of sounds: burst, speech, silence, burst, until the alarm has ended. Pure; played by
/// `HouseSounder`.
///
/// - The alarm of the highest priority sounds; of several such, one after the other. A new or higher one
/// interrupts speech, a higher one also the tone.
/// - A tone waits for nothing: not for a voice, not for an announcement. Words go in between, where they are
///   ready.
/// - Technical announcements wait until no alarm is open, and until the answers to acts have been said.
struct SoundProgram: Sendable {
    let phrases: HousePhrases
    private let loudness: Loudness
    private var soundings: [Sounding] = []
    var announcements = Announcements()
    /// Utterances that may be wanted soon.
    var expected: [Utterance] = []

    init(phrases: HousePhrases, loudness: Loudness) {
        self.phrases = phrases
        self.loudness = loudness
    }

    // MARK: Playing

    var isSilent: Bool { soundings.isEmpty && announcements.utterances.isEmpty }

    /// Returns the sound to play now: never one that something else has to break off at once.
    /// - Parameter isReady: whether a voice has rendered it.
    func next(at now: BootInstant, isReady: (Utterance) -> Bool) -> SoundPiece {
        let leading = leading
        if let new = leading.first(where: { $0.lastBurst == nil && $0.isDue(at: now) }) {
            return burst(of: new)
        }
        let isTimely = { (words: Utterance) in isReady(words) && !canWait(words, at: now) }
        let talk = canTalk(at: now) ? announcements.first(withTechnical: false, where: isTimely) : nil
        for announcement in [announcements.news(where: isTimely), talk].compactMap(\.self) {
            let piece = SoundPiece.announcement(announcement.utterance, amplitude: loudest(of: leading))
            if !isOutdated(piece, at: now) { return piece }
        }
        let urgent = leading.filter { $0.isUrgent(at: now) }
        for speaking in urgent.isEmpty ? leading : urgent where !speaking.isDue(at: now) {
            guard let speech = speaking.speech, isReady(speech) else { continue }
            let piece = SoundPiece.speech(
                speech, of: speaking.id, amplitude: amplitude(afterBurstOf: speaking))
            if !isOutdated(piece, at: now) { return piece }
        }
        if let due = leading.filter({ $0.isDue(at: now) }).min(by: { $0.isLonger(silentThan: $1) }) {
            return burst(of: due)
        }
        if soundings.isEmpty,
            let next = announcements.first(withTechnical: announcements.answers.isEmpty, where: isReady)
        {
            if let tone = next.tone { return .burst(tone, of: nil, amplitude: loudness.start) }
            return .announcement(next.utterance, amplitude: announced)
        }
        return .rest(until: leading.compactMap(\.nextBurst).min())
    }

    private func loudest(of soundings: [Sounding]) -> Double {
        soundings.map { amplitude(afterBurstOf: $0) }.max() ?? announced
    }

    /// How loud it is where no alarm says: 6 dB above where one begins.
    private var announced: Double { loudness.amplitude(repetition: 2) }

    /// Whether a tone has just been, or none is due: how an alarm goes on is said in the place of the words about
    /// it, or two alarms in turn would leave it no room.
    private func canTalk(at now: BootInstant) -> Bool {
        let leading = leading
        return !leading.contains { $0.isDue(at: now) }
            || leading.contains { !$0.isDue(at: now) && $0.speech != nil }
    }

    /// Whether an announcement is about one alarm, and the words of another one can still save a call.
    private func canWait(_ announcement: Utterance, at now: BootInstant) -> Bool {
        let urgent = leading.filter { $0.isUrgent(at: now) }
        return switch announcements.matter(of: announcement) {
        case .progress(let id): urgent.contains { $0.id != id }
        case .over: !urgent.isEmpty
        default: false
        }
    }

    /// Whether something else has to be played at once, or nobody wants to hear it any more.
    func isOutdated(_ piece: SoundPiece, at now: BootInstant) -> Bool {
        switch piece {
        case .burst(let priority, let id, _):
            if let id, index(of: id) == nil { return true }
            return soundings.contains { $0.isDue(at: now) && (id == nil || $0.priority > priority) }
        case .opening(let id, _): return index(of: id) == nil
        case .speech(_, let id, _):
            guard let index = index(of: id), !announcements.contains(.progress(id)),
                !soundings[index].isCorrected
            else { return true }
            let priority = soundings[index].priority
            if !soundings[index].isUrgent(at: now), leading.contains(where: { $0.isUrgent(at: now) }) {
                return true
            }
            return soundings.contains { other in
                other.isDue(at: now)
                    && (other.priority > priority || other.priority == priority && other.lastBurst == nil)
            } || soundings[index].isOverdue(at: now)
        case .announcement(let utterance, _):
            // A newer word has taken its place.
            guard announcements.matter(of: utterance) != nil, !canWait(utterance, at: now) else { return true }
            return leading.contains { $0.isDue(at: now) && ($0.lastBurst == nil || $0.isOverdue(at: now)) }
        case .rest: return leading.contains { $0.isDue(at: now) }
        }
    }

    mutating func began(_ piece: SoundPiece, at now: BootInstant) {
        switch piece {
        case .burst(let priority, let id?, _): began(AlarmTones.burst(priority), of: id, at: now)
        case .opening(let id, _): began(AlarmTones.opening, of: id, at: now)
        case .speech(_, let id, _): if let index = index(of: id) { soundings[index].beganSpeech() }
        case .burst, .announcement, .rest: return
        }
    }

    private mutating func began(_ burst: AlarmTones.Burst, of id: AlarmID, at now: BootInstant) {
        guard let index = index(of: id) else { return }
        let end = now.advanced(by: burst.duration)
        soundings[index].lastBurst = now
        soundings[index].nextBurst = nil
        soundings[index].dropSpeech()
        soundings[index].renew(by: phrases, at: end)
    }

    /// - Parameter isWhole: false where it was interrupted.
    mutating func finished(_ piece: SoundPiece, isWhole: Bool, at now: BootInstant) {
        switch piece {
        case .burst(let priority, let id?, _): finishedTone(priority, of: id, isWhole: isWhole, at: now)
        case .opening(let id, _): finishedTone(.high, of: id, isWhole: isWhole, at: now)
        case .burst(_, nil, _): if isWhole { announcements.toneSounded() }
        case .speech(_, let id, _):
            guard let index = index(of: id) else { return }
            spoken(index, isWhole: isWhole, at: now)
        case .announcement(let utterance, _):
            guard isWhole else { return }
            announcements.remove(utterance)
            for index in soundings.indices { pause(index, at: now) }
        case .rest: break
        }
    }

    private mutating func finishedTone(
        _ priority: AlarmPriority, of id: AlarmID, isWhole: Bool, at now: BootInstant
    ) {
        // One that never began is as due as before.
        guard let index = index(of: id), soundings[index].nextBurst == nil else { return }
        soundings[index].bursts += 1
        soundings[index].lastBurst = now
        // A note is sounded once.
        soundings[index].nextBurst =
            !isWhole
            ? now : priority == .low ? nil : now.advanced(by: AlarmTones.burst(priority).interval.lowerBound)
    }

    /// Speech that a higher alarm broke off is said anew after its own next tone.
    private mutating func spoken(_ index: Int, isWhole: Bool, at now: BootInstant) {
        let isCorrected = soundings[index].isCorrected
        soundings[index].dropSpeech()
        guard isWhole else {
            // A tone and the true words follow at once, unless news say the same.
            let isUrgent = isCorrected && !announcements.contains(.progress(soundings[index].id))
            soundings[index].nextBurst = isUrgent ? now : soundings[index].nextBurst ?? now
            return
        }
        pause(index, at: now)
    }

    /// Moves the next tone a moment away from words that have just ended.
    private mutating func pause(_ index: Int, at now: BootInstant) {
        guard let next = soundings[index].nextBurst, let last = soundings[index].lastBurst else { return }
        let latest = last.advanced(by: AlarmTones.burst(soundings[index].priority).interval.upperBound)
        soundings[index].nextBurst = min(max(next, now.advanced(by: Self.pause)), max(latest, next))
    }

    /// Between the last word and the next tone.
    private static let pause = Duration.seconds(1)

    // MARK: Sounding alarm

    func index(of id: AlarmID) -> Int? { soundings.firstIndex { $0.id == id } }

    private var leading: [Sounding] {
        let highest = soundings.map(\.priority).max()
        return soundings.filter { $0.priority == highest }
    }

    private func burst(of sounding: Sounding) -> SoundPiece {
        let amplitude = loudness.amplitude(repetition: sounding.bursts)
        return sounding.isOpening
            ? .opening(of: sounding.id, amplitude: amplitude)
            : .burst(sounding.priority, of: sounding.id, amplitude: amplitude)
    }

    private func amplitude(afterBurstOf sounding: Sounding) -> Double {
        loudness.amplitude(repetition: max(sounding.bursts - 1, 0))
    }
}

// MARK: Messages

extension SoundProgram {
    mutating func hear(_ word: HouseMessage, at now: BootInstant) {
        switch word {
        case .alarm(let notice): hear(notice, at: now)
        case .progress(let state):
            guard let index = index(of: state.id) else { return }
            soundings[index].alarm.hear(state)
            if soundings[index].speech != nil { soundings[index].renew(by: phrases, at: now) }
            expect(soundings[index].alarm, at: now)
            announceNews(of: soundings[index].alarm, at: now)
        case .ended(let notice, let ending, let isOneOfSeveral):
            soundings.removeAll { $0.id == notice.alarm }
            announcements.remove(.progress(notice.alarm))
            announcements.remove(.over(notice.person))
            let goesOn = isOneOfSeveral || soundings.contains { $0.alarm.notice.person == notice.person }
            announce(.ended(notice, ending, isOneOfSeveral: goesOn), .over(notice.person), at: now)
        case .notRetracted, .allRight, .whoseIsMeant: announce(word, .alarm, at: now)
        case .supervision(let person, let isPaused):
            announce(word, .technical(person, .supervision), tone: isPaused ? .low : nil, at: now)
        case .helpReach(let person, let isLost):
            announce(word, .technical(person, .help), tone: isLost ? .low : nil, at: now)
        case .settingsWrong: announce(word, .settings, tone: .low, at: now)
        case .buttonTest(let person, let news):
            announce(
                word, .technical(person, .button), tone: news == .passed || news == .over ? nil : .low, at: now)
        case .exercise(let person, _): announce(word, .technical(person, .exercise), at: now)
        case .batteryLow(let person, _), .batteryCharged(let person):
            announce(word, .technical(person, .battery), at: now)
        case .boxPower(let power): announce(word, .power, tone: power == .mainsBack ? nil : .low, at: now)
        case .boxButton(let works): announce(word, .boxButton, tone: works ? nil : .low, at: now)
        case .drillFailed(let person): announce(word, .technical(person, .drill), tone: .low, at: now)
        case .devicePaired(let person): announce(word, .technical(person, .paired), tone: .low, at: now)
        case .question(let question): announce(word, .question(question.id), tone: .low, at: now)
        }
    }

    private mutating func hear(_ notice: AlarmNotice, at now: BootInstant) {
        if let index = index(of: notice.alarm) {
            soundings[index].alarm.hear(notice)
            soundings[index].bursts = max(soundings[index].bursts, notice.repetition)
            soundings[index].nextBurst = soundings[index].nextBurst ?? now
            expect(soundings[index].alarm, at: now)
        } else {
            announcements.remove(.over(notice.person))
            let alarm = OpenAlarm(notice)
            soundings.append(Sounding(alarm: alarm, bursts: notice.repetition, nextBurst: now))
            expect(alarm, at: now)
        }
    }

    private mutating func announce(
        _ word: HouseMessage, _ matter: Announcements.Matter, tone: AlarmPriority? = nil, at now: BootInstant
    ) {
        guard let utterance = phrases.announcement(word, at: now) else {
            return
        }
        announcements.add(Announcements.Announcement(utterance: utterance, matter: matter, tone: tone))
    }

    /// That the call has arrived, or that nobody is reached, is said at once, and the words before it are cut short:
    /// they are no longer true.
    private mutating func announceNews(of alarm: OpenAlarm, at now: BootInstant) {
        guard let utterance = phrases.news(of: alarm, at: now) else {
            // Earlier news are no longer so.
            return announcements.remove(.progress(alarm.notice.alarm))
        }
        announcements.add(
            Announcements.Announcement(utterance: utterance, matter: .progress(alarm.notice.alarm)))
    }

    /// The words after the next burst, after the end of the window, and on how the call went.
    private mutating func expect(_ alarm: OpenAlarm, at now: BootInstant) {
        let isOpening = index(of: alarm.notice.alarm).map { soundings[$0].isOpening } ?? false
        let burst = isOpening ? AlarmTones.opening : AlarmTones.burst(alarm.notice.priority)
        let afterBurst = now.advanced(by: burst.duration)
        expected.append(phrases.speech(of: alarm, at: afterBurst))
        guard let end = alarm.notice.windowEnd, end > now else { return }
        expected += phrases.expected(of: alarm, from: end)
    }

    /// Utterances that a voice should render. `expected` is given out once.
    mutating func wanted() -> [Utterance] {
        defer { expected = [] }
        return soundings.compactMap(\.speech) + expected + announcements.utterances
    }

    /// Those that are waited for, which a voice renders before what may be wanted later: words that can still save a call
    /// first, then answers to acts.
    func awaited(at now: BootInstant) -> [Utterance] {
        let leading = leading
        let urgent = leading.filter { $0.isUrgent(at: now) }
        return urgent.compactMap(\.speech) + announcements.answers
            + leading.filter { !$0.isUrgent(at: now) }.compactMap(\.speech)
    }

    /// A voice could not say it: the tone has to do.
    mutating func cannotSay(_ utterance: Utterance) {
        for index in soundings.indices where soundings[index].speech == utterance {
            soundings[index].dropSpeech()
        }
        announcements.remove(utterance)
    }
}
