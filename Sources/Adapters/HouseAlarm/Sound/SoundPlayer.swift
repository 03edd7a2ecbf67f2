import Audio
import GatewayModel
import RealTime
import SOSLocal

/// Plays piece after piece on one output. Used on the sounder's thread alone.
///
/// It keeps its own pace by the clock and hands the output no more than a moment of sound ahead: so news are
/// heard at once with any output, a card or a file.
struct SoundPlayer {
    struct Heard {
        var words: [HouseMessage] = []
        var rendered: [(Utterance, PCM?)] = []
        var isStopping = false
    }

    /// Longest wait before it looks for a new sound.
    typealias Hear = (Duration?) -> Heard

    /// A step of the pace: the longest delay of an interruption, besides the lead.
    private static let chunk = Duration.milliseconds(40)
    /// Ahead of the loudspeaker: more than a busy machine makes a thread wait, and well below the buffer.
    private static let lead = Duration.milliseconds(200)
    /// After a failure. A card that is plugged in again is used within this.
    private static let retryInterval = Duration.seconds(2)
    /// While nothing sounds, the output is tried, so that a missing one is known before it is needed.
    private static let probeInterval = Duration.seconds(60)
    /// Phrases kept, each some 300 KB.
    private static let phrasesKept = 12

    private var program: SoundProgram
    private let output: any SoundOutput
    private let health: PartHealth
    private let render: (Utterance) -> Void
    /// Tells the voice what to render first.
    private let prefer: ([Utterance]) -> Void
    private let annunciated: (AlarmID, BootInstant) -> Void

    private var sounds: [Utterance: PCM] = [:]
    private var soundOrder: [Utterance] = []
    private var requested: Set<Utterance> = []
    private var told: Set<AlarmID> = []
    private var retry: BootInstant?
    private var nextProbe: BootInstant?
    /// When the samples that were handed over will have been played.
    private var playedUntil = BootInstant(nanoseconds: 0)
    private var isStopping = false

    init(
        program: SoundProgram, output: any SoundOutput, health: PartHealth,
        render: @escaping (Utterance) -> Void, prefer: @escaping ([Utterance]) -> Void = { _ in },
        annunciated: @escaping (AlarmID, BootInstant) -> Void
    ) {
        self.program = program
        self.output = output
        self.health = health
        self.render = render
        self.prefer = prefer
        self.annunciated = annunciated
    }

    /// One piece, or one wait.
    mutating func step(_ hear: Hear) {
        let now = Clock.boot()
        if let retry, now < retry { return listen(now.duration(to: retry), hear) }
        if program.isSilent, nextProbe.map({ now >= $0 }) ?? true { return probe() }
        switch program.next(at: now, isReady: { sounds[$0] != nil }) {
        case .rest(let until):
            let end = program.isSilent ? nextProbe : until
            listen(end.map { max(now.duration(to: $0), .zero) }, hear)
        case let piece: play(piece, hear)
        }
    }

    func close() {
        output.close()
    }

    // MARK: Playing

    private mutating func play(_ piece: SoundPiece, _ hear: Hear) {
        do throws(HouseFailure) {
            let rate = try health.during { () throws(HouseFailure) in try output.open() }
            let sound = sound(of: piece, rate: rate)
            output.begin(piece.label)
            let isWhole = try hand(over: sound, of: piece, hear)
            try health.during { () throws(HouseFailure) in try output.end(isWhole: isWhole) }
            if !isWhole { playedUntil = Clock.boot() }
            program.finished(piece, isWhole: isWhole, at: Clock.boot())
            health.tell(nil)
        } catch {
            // Due again as soon as the output is back.
            program.finished(piece, isWhole: false, at: Clock.boot())
            fail(error)
        }
    }

    /// - Returns: whether all of it was played: false once something else is more urgent.
    private mutating func hand(
        over sound: PCM, of piece: SoundPiece, _ hear: Hear
    ) throws(HouseFailure) -> Bool {
        let step = max(Int(Int64(sound.rate) * Self.chunk.wholeMilliseconds / 1_000), 1)
        for start in stride(from: 0, to: sound.samples.count, by: step) {
            let part = sound.samples[start..<min(start + step, sound.samples.count)]
            try health.during { () throws(HouseFailure) in try output.write(part) }
            let now = Clock.boot()
            if start == 0 { began(piece, at: now) }
            playedUntil = max(playedUntil, now).advanced(by: Self.chunk)
            guard pass(until: playedUntil.advanced(by: .zero - Self.lead), during: piece, hear) else {
                return false
            }
        }
        return pass(until: playedUntil, during: piece, hear)
    }

    private mutating func began(_ piece: SoundPiece, at now: BootInstant) {
        program.began(piece, at: now)
        request()
        if let id = piece.toneOf, told.insert(id).inserted { annunciated(id, now) }
    }

    /// Listens until then.
    /// - Returns: false as soon as the piece is outdated.
    private mutating func pass(until end: BootInstant, during piece: SoundPiece, _ hear: Hear) -> Bool {
        repeat {
            listen(max(Clock.boot().duration(to: end), .zero), hear)
            if isStopping || program.isOutdated(piece, at: Clock.boot()) { return false }
        } while Clock.boot() < end
        return true
    }

    private func sound(of piece: SoundPiece, rate: Int) -> PCM {
        switch piece {
        case .burst(let priority, _, let amplitude):
            AlarmTones.pcm(priority, rate: rate, amplitude: amplitude)
        case .opening(_, let amplitude):
            AlarmTones.pcm(AlarmTones.opening, rate: rate, amplitude: amplitude)
        case .speech(let utterance, _, let amplitude), .announcement(let utterance, let amplitude):
            (sounds[utterance] ?? PCM(samples: [], rate: rate)).resampled(to: rate).scaled(toPeak: amplitude)
        case .rest: PCM(samples: [], rate: rate)
        }
    }

    private mutating func probe() {
        do throws(HouseFailure) {
            output.close()
            _ = try health.during { () throws(HouseFailure) in try output.open() }
            output.close()
            health.tell(nil)
            nextProbe = Clock.boot().advanced(by: Self.probeInterval)
        } catch {
            fail(error)
        }
    }

    private mutating func fail(_ failure: HouseFailure) {
        output.close()
        health.tell(failure)
        retry = Clock.boot().advanced(by: Self.retryInterval)
    }

    // MARK: News

    private mutating func listen(_ timeout: Duration?, _ hear: Hear) {
        let heard = hear(timeout)
        isStopping = heard.isStopping
        for word in heard.words {
            program.hear(word, at: Clock.boot())
            if case .ended(let notice, _, _) = word { told.remove(notice.alarm) }
        }
        for (utterance, sound) in heard.rendered { take(utterance, sound) }
        request()
    }

    private mutating func take(_ utterance: Utterance, _ sound: PCM?) {
        requested.remove(utterance)
        guard let sound else { return program.cannotSay(utterance) }
        sounds[utterance] = sound
        soundOrder.append(utterance)
        while soundOrder.count > Self.phrasesKept { sounds[soundOrder.removeFirst()] = nil }
    }

    private mutating func request() {
        prefer(program.awaited(at: Clock.boot()))
        for utterance in program.wanted() where sounds[utterance] == nil && requested.insert(utterance).inserted
        {
            render(utterance)
        }
    }
}

extension SoundPiece {
    /// The alarm that a tone is of.
    fileprivate var toneOf: AlarmID? {
        switch self {
        case .burst(_, let id, _): id
        case .opening(let id, _): id
        case .speech, .announcement, .rest: nil
        }
    }

    /// For the name of a file.
    fileprivate var label: String {
        switch self {
        case .burst(let priority, _, _): "burst-\(priority.rawValue)"
        case .opening: "burst-high"
        case .speech: "speech"
        case .announcement: "announcement"
        case .rest: "rest"
        }
    }
}
