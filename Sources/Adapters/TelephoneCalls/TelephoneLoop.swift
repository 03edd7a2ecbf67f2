import Audio
import GatewayModel
import HelpLine
import RealTime

/// Body of the channel's thread: the machine between the alarm's messages, the voice and the route.
///
/// Made, used and dropped on that thread.
final class TelephoneLoop {
    enum Command: Sendable {
        case send(HelpMessage)
        case test
        /// Addresses of the route's server, in the resolver's order.
        case found([String])
        case rendered(Utterance, CallVoice.Result)
        case stop
    }

    private let mailbox: Mailbox<Command>
    private let reports: ChannelReports
    private let onNote: @Sendable (CallNote) -> Void
    private let route: any CallRoute
    private let voice: CallVoice
    private let takesKeys: Bool
    private let zone = LocalZone.system
    private let timer: DeadlineTimer
    private var machine: TelephoneMachine
    private var sounds: [Utterance: PCM] = [:]
    private var soundOrder: [Utterance] = []
    private var requested: Set<Utterance> = []
    /// Words that a call waits for.
    private var toPlay: (number: Int, words: Utterance, isRepeated: Bool)?
    private var test: (route: ChannelTest?, voice: ChannelTest?, isUnderWay: Bool) = (nil, nil, false)
    private var end: BootInstant?

    /// Kept sounds, each some 250 KB.
    private static let mostSounds = 8
    /// Spoken to nobody.
    private static let trial = Utterance(text: "Test", language: .english)

    init(
        _ rules: TelephoneMachine.Rules, route: any CallRoute, voice: CallVoice, mailbox: Mailbox<Command>,
        reports: ChannelReports, onNote: @escaping @Sendable (CallNote) -> Void
    ) throws(SystemCallError) {
        self.mailbox = mailbox
        self.reports = reports
        self.onNote = onNote
        self.route = route
        self.voice = voice
        takesKeys = rules.takesKeys
        timer = try DeadlineTimer()
        machine = TelephoneMachine(rules, startingAt: Clock.boot())
    }

    /// Returns after a stop.
    func run() throws {
        try route.run(waitingFor: [mailbox.wakeup.descriptor, timer.descriptor]) { [unowned self] in step() }
    }

    /// - Returns: whether it goes on.
    private func step() -> Bool {
        timer.drain()
        for command in mailbox.take().values { take(command) }
        perform(machine.tick(at: Clock.boot()))
        for event in route.advance(at: Clock.boot()) {
            switch event {
            case .call(let number, let event): perform(machine.event(number, event, at: Clock.boot()))
            case .looked(let result):
                test.route = result
                finishTest()
            case .note(let note): onNote(note)
            }
        }
        if let end, machine.isIdle || Clock.boot() >= end {
            perform(machine.abandon())
            return false
        }
        timer.set([machine.deadline, route.deadline, end].compactMap(\.self).min())
        return true
    }

    private func take(_ command: Command) {
        switch command {
        case .send(let message):
            let script = CallScript(message, takesKeys: takesKeys, zone: zone)
            perform(machine.give(message, script, at: Clock.boot()))
        case .test: beginTest()
        case .found(let addresses): route.found(addresses)
        case .rendered(let utterance, let result): rendered(utterance, result)
        case .stop: end = end ?? Clock.boot().advanced(by: HelpChannelLimits.stop - .milliseconds(200))
        }
    }

    private func perform(_ steps: [TelephoneMachine.Step]) {
        for step in steps {
            switch step {
            case .dial(let number, let recipient): route.dial(number, recipient)
            case .prepare(let words): prepare(words)
            case .speak(let number, let words, let isRepeated): speak(number, words, isRepeated)
            case .hangUp(let number):
                if toPlay?.number == number { toPlay = nil }
                route.hangUp(number)
            case .report(let word): reports.about(word)
            case .note(let note): onNote(note)
            }
        }
    }

    // MARK: Words

    private func prepare(_ words: Utterance) {
        if sounds[words] == nil, requested.insert(words).inserted { voice.render(words) }
    }

    private func speak(_ number: Int, _ words: Utterance, _ isRepeated: Bool) {
        guard let sound = sounds[words] else {
            toPlay = (number, words, isRepeated)
            return prepare(words)
        }
        toPlay = nil
        route.play(number, CallSound(sound, isRepeated: isRepeated))
    }

    private func rendered(_ words: Utterance, _ result: CallVoice.Result) {
        requested.remove(words)
        if words == Self.trial, test.isUnderWay {
            test.voice =
                switch result {
                case .sound: .works(detail: "the voice speaks")
                case .failed(let reason): .fails(reason: "the voice of the calls: \(reason)")
                }
            return finishTest()
        }
        let isWanted = toPlay.flatMap { $0.words == words ? $0 : nil }
        switch result {
        case .sound(let sound):
            sounds[words] = sound
            soundOrder.append(words)
            while soundOrder.count > Self.mostSounds { sounds[soundOrder.removeFirst()] = nil }
            if let (number, words, isRepeated) = isWanted { speak(number, words, isRepeated) }
        case .failed(let reason):
            onNote(.noVoice(reason: reason))
            // Not kept: the words are tried again with the next call.
            guard let (number, _, isRepeated) = isWanted else { return }
            toPlay = nil
            route.play(number, CallSound(CallSound.attention, isRepeated: isRepeated))
        }
    }

    // MARK: Tests

    private func beginTest() {
        test = (nil, nil, true)
        voice.render(Self.trial)
        route.look()
    }

    private func finishTest() {
        guard test.isUnderWay, let route = test.route, let voice = test.voice else { return }
        test.isUnderWay = false
        if case .fails = route { return reports.tested(route) }
        if case .fails = voice { return reports.tested(voice) }
        reports.tested(route)
    }
}
