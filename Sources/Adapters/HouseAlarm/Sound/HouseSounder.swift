import Audio
import GatewayModel
import RealTime
import SOSLocal
import Synchronization

/// Player: sounds the program on one output, on a thread of its own.
final class HouseSounder: HouseThread {
    private enum News: Sendable {
        case word(HouseMessage)
        case rendered(Utterance, PCM?)
    }

    let threadName = "house-sound"
    private let news: Mailbox<News>
    private let isStopping = Atomic(false)
    private let program: SoundProgram
    private let output: @Sendable () -> any SoundOutput
    private let speaker: Speaker?
    private let health: PartHealth
    private let annunciated: @Sendable (AlarmID, BootInstant) -> Void

    /// - Parameters:
    ///   - output: made and used on the sounder's thread.
    ///   - speaker: nil for tones without words.
    ///   - annunciated: called on that thread, when the first sound of an alarm was accepted.
    init(
        phrases: HousePhrases, loudness: Loudness, output: @escaping @Sendable () -> any SoundOutput,
        speaker: Speaker?, health: PartHealth,
        annunciated: @escaping @Sendable (AlarmID, BootInstant) -> Void
    ) throws(SystemCallError) {
        news = try Mailbox()
        program = SoundProgram(phrases: phrases, loudness: loudness)
        self.output = output
        self.speaker = speaker
        self.health = health
        self.annunciated = annunciated
    }

    /// From any thread, at once.
    func say(_ word: HouseMessage) {
        news.put(.word(word))
    }

    func loop() {
        var player = SoundPlayer(
            program: program, output: output(), health: health, render: { [self] in render($0) },
            prefer: { [speaker] in speaker?.prefer($0) }, annunciated: annunciated)
        while !isStopping.load(ordering: .acquiring) {
            player.step { [self] timeout in hear(timeout) }
        }
        player.close()
    }

    private func render(_ utterance: Utterance) {
        guard let speaker else { return news.put(.rendered(utterance, nil)) }
        speaker.render(utterance) { [news] in news.put(.rendered(utterance, $0)) }
    }

    /// Also ends the sound that is being played.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        news.wakeup.signal()
    }

    /// Waits for news no longer than `timeout`; nil waits for as long as it takes.
    private func hear(_ timeout: Duration?) -> SoundPlayer.Heard {
        if timeout != .zero { _ = Poll.wait([Poll.Interest(news.wakeup.descriptor)], timeout: timeout) }
        var heard = SoundPlayer.Heard(isStopping: isStopping.load(ordering: .acquiring))
        for item in news.take().values {
            switch item {
            case .word(let word): heard.words.append(word)
            case .rendered(let utterance, let sound): heard.rendered.append((utterance, sound))
            }
        }
        return heard
    }
}

/// An open alarm and how far its tones and words are.
struct Sounding {
    var alarm: OpenAlarm
    var bursts = 0
    var lastBurst: BootInstant?
    /// Nil where it has sounded as often as it should.
    var nextBurst: BootInstant?
    /// To be said after the last burst.
    private(set) var speech: Utterance?
    /// That of `speech`, or of the last one.
    private var claim: HousePhrases.Claim?
    /// The words that are being spoken have become untrue.
    private(set) var isCorrected = false

    var id: AlarmID { alarm.notice.alarm }
    var priority: AlarmPriority { alarm.notice.priority }

    init(alarm: OpenAlarm, bursts: Int, nextBurst: BootInstant) {
        (self.alarm, self.bursts, self.nextBurst) = (alarm, bursts, nextBurst)
    }

    /// Forms the words anew, which begin at `now`.
    mutating func renew(by phrases: HousePhrases, at now: BootInstant) {
        let next = phrases.claim(of: alarm, at: now)
        if speech != nil, let claim, claim != next { isCorrected = true }
        (speech, claim) = (phrases.speech(of: alarm, at: now), next)
    }

    mutating func beganSpeech() { isCorrected = false }

    mutating func dropSpeech() { (speech, isCorrected) = (nil, false) }

    /// Its next tone is its first, and the words are waited for.
    var isOpening: Bool { priority == .high && lastBurst == nil && bursts == 0 }

    /// Its words can still save a call: those of other alarms wait for them.
    func isUrgent(at now: BootInstant) -> Bool {
        speech != nil && alarm.notice.windowEnd.map { $0 > now } ?? false
    }

    func isDue(at now: BootInstant) -> Bool { nextBurst.map { $0 <= now } ?? false }

    func isLonger(silentThan other: Self) -> Bool {
        guard let mine = lastBurst else { return true }
        guard let theirs = other.lastBurst else { return false }
        return mine < theirs
    }

    /// Words move the next burst, but never so far that the tone is too seldom.
    func isOverdue(at now: BootInstant) -> Bool {
        guard let lastBurst else { return true }
        return now >= lastBurst.advanced(by: AlarmTones.burst(priority).interval.upperBound)
    }
}
