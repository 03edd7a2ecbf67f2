import Audio
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
