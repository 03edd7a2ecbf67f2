import GatewayModel
import RealTime
import Synchronization

/// Renders texts on a thread of its own, in the order of the requests.
final class Speaker: HouseThread {
    private struct Request: Sendable {
        let utterance: Utterance
        let reply: @Sendable (PCM?) -> Void
    }

    let threadName = "house-speech"
    private let voice: any Voice
    private let health: PartHealth
    private let requests: Mailbox<Request>
    private let isStopping = Atomic(false)

    init(_ voice: any Voice, health: PartHealth) throws(SystemCallError) {
        self.voice = voice
        self.health = health
        requests = try Mailbox()
    }

    /// From any thread, at once.
    /// - Parameter reply: called on the speech thread; nil where the voice could not.
    func render(_ utterance: Utterance, reply: @escaping @Sendable (PCM?) -> Void) {
        requests.put(Request(utterance: utterance, reply: reply))
    }

    /// Ends after the utterance that is being rendered.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        requests.wakeup.signal()
    }

    func loop() {
        while !isStopping.load(ordering: .acquiring) {
            for request in requests.take().values where !isStopping.load(ordering: .acquiring) {
                request.reply(sound(of: request.utterance))
            }
            guard !isStopping.load(ordering: .acquiring) else { return }
            _ = Poll.wait([Poll.Interest(requests.wakeup.descriptor)], timeout: nil)
        }
    }

    private func sound(of utterance: Utterance) -> PCM? {
        do throws(HouseFailure) {
            let sound = try health.during { () throws(HouseFailure) in try voice.render(utterance) }
            health.tell(nil)
            return sound
        } catch {
            health.tell(error)
            return nil
        }
    }
}

/// A text to speak.
struct Utterance: Hashable, Sendable {
    /// Personal: it names people and says how they are.
    let text: String
    let language: PersonProfile.Language
}

/// Makes sound of a text. Used on the speech thread alone, which it may hold up for a bounded time.
protocol Voice: Sendable {
    func render(_ utterance: Utterance) throws(HouseFailure) -> PCM
}

/// espeak-ng as a child process for each utterance.
///
/// Not the library: a fault or a hang in it must not be one of the process that watches over a person, its
/// state is global and its licence is the GPL, version 3. A child costs some tens of milliseconds, while the
/// tone already sounds. The text goes through a socket: the list of processes does not show it.
struct ESpeak: Voice {
    private let program: String
    /// Words per minute.
    private let speed: Int

    /// Range of espeak-ng (espeak-ng(1), -s).
    private static let speeds = 80...450
    /// A long phrase takes a Raspberry Pi some tenths of a second.
    private static let patience = Duration.seconds(5)
    /// A minute of sound; more is no phrase of ours.
    private static let bound = 60 * 22_050 * 2

    init(program: String = "espeak-ng", speed: Int) {
        self.program = program
        self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
    }

    func render(_ utterance: Utterance) throws(HouseFailure) -> PCM {
        // -b 1: the text is UTF-8. -z: no silence at the end.
        let arguments = [
            "--stdin", "--stdout", "-b", "1", "-z", "-s", String(speed), "-v", utterance.language.espeakVoice,
        ]
        let output = try ChildProcess.run(
            program, arguments, input: Array(utterance.text.utf8), bound: Self.bound, patience: Self.patience)
        guard let sound = WaveFile.read(output), !sound.samples.isEmpty else {
            throw HouseFailure(
                "\(program) gave \(output.count) bytes and no sound for the voice "
                    + "'\(utterance.language.espeakVoice)'; install espeak-ng and espeak-ng-data, and try: "
                    + "\(program) -v \(utterance.language.espeakVoice) hello")
        }
        return sound.scaled(toPeak: 1)
    }
}

extension PersonProfile.Language {
    fileprivate var espeakVoice: String {
        switch self {
        case .english: "en-gb"
        case .italian: "it"
        }
    }
}
