import Audio
import GatewayModel
import RealTime
import Synchronization

/// Renders texts on a thread of its own: those that are preferred first, the others in the order of the requests.
final class Speaker: HouseThread {
    private struct Request: Sendable {
        let utterance: Utterance
        let reply: @Sendable (PCM?) -> Void
    }

    let threadName = "house-speech"
    private let voice: any Voice
    private let health: PartHealth
    private let requests: Mailbox<Request>
    private let preferred = Mutex<[Utterance]>([])
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

    /// Replaces the texts that are rendered before all others. From any thread, at once.
    func prefer(_ utterances: [Utterance]) {
        preferred.withLock { $0 = utterances }
    }

    /// Ends after the utterance that is being rendered.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        requests.wakeup.signal()
    }

    func loop() {
        var waiting: [Request] = []
        while !isStopping.load(ordering: .acquiring) {
            waiting += requests.take().values
            if let request = next(of: &waiting) {
                request.reply(sound(of: request.utterance))
                continue
            }
            _ = Poll.wait([Poll.Interest(requests.wakeup.descriptor)], timeout: nil)
        }
    }

    private func next(of waiting: inout [Request]) -> Request? {
        guard !waiting.isEmpty else { return nil }
        for text in preferred.withLock(\.self) {
            if let index = waiting.firstIndex(where: { $0.utterance == text }) {
                return waiting.remove(at: index)
            }
        }
        return waiting.removeFirst()
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
