import Audio
import GatewayModel
import RealTime
import Synchronization

/// The house's voice for calls, on a thread of its own: a synthesis takes tenths of a second.
final class CallVoice: Sendable {
    enum Result: Sendable {
        case sound(PCM)
        case failed(reason: String)
    }

    private let voice: ESpeak
    private let requests: Mailbox<Utterance>
    private let isStopping = Atomic(false)
    private let reply: @Sendable (Utterance, Result) -> Void

    /// - Parameter reply: called on the voice's thread.
    init(
        speed: Int, program: String, reply: @escaping @Sendable (Utterance, Result) -> Void
    ) throws(SystemCallError) {
        voice = ESpeak(program: program, speed: speed)
        // The words of some alarms; older ones are asked for again when they are to be spoken.
        requests = try Mailbox(bound: 32)
        self.reply = reply
    }

    /// From any thread, at once.
    func render(_ utterance: Utterance) { requests.put(utterance) }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        requests.wakeup.signal()
    }

    /// Body of the thread; ends after the utterance that is being rendered.
    func loop() {
        while !isStopping.load(ordering: .acquiring) {
            for utterance in requests.take().values where !isStopping.load(ordering: .acquiring) {
                do throws(DeviceFailure) {
                    reply(utterance, .sound(try voice.render(utterance).forTelephone(rate: CallSound.rate)))
                } catch {
                    reply(utterance, .failed(reason: error.description))
                }
            }
            guard !isStopping.load(ordering: .acquiring) else { return }
            _ = Poll.wait([Poll.Interest(requests.wakeup.descriptor)], timeout: nil)
        }
    }
}
