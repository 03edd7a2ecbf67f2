import CloudCommands
import GatewayModel
import Hub
import RealTime
import Synchronization
import Vault

/// Inbox of commands: takes the messages off the broker's thread, verifies each once, and puts the commands in line.
///
/// A message that was acknowledged must survive a power cut; but a call for help goes through the same thread, so that
/// thread waits for the disk only within its `WaitBudget`. A message that is no fresh command is never written.
package final class CommandInbox: Sendable {
    /// Maximum number of waiting commands: more than a cloud has a reason to send at once.
    static let room = 32
    /// Longest wait for the command that rotates a key, before the next message is verified.
    private static let rotationLimit = Duration.seconds(10)

    /// Command in line. Its service calls `finish` when it is done.
    struct Item: Sendable {
        let token: [UInt8]
        let command: VerifiedCommand
        /// It came before.
        let isRepeated: Bool
        /// Key of its copy among the waiting commands.
        let copy: String
        /// The copy is written, or on its way to the disk.
        let hasCopy: Bool
        /// Settled when the command is durable.
        let ticket: WriteTicket?
        fileprivate let onFinish: @Sendable (Bool) -> Void
    }

    /// Answer of the house to a command that waits for it.
    struct HouseAnswer: Sendable {
        /// Determines the effect, when it is its turn.
        let effect: @Sendable () -> SettingEffect
        /// Called once.
        let reply: @Sendable (CommandJournal.Outcome) -> Void
    }

    /// Work of the service, one after the other.
    enum Work: Sendable {
        case command(Item)
        case answer(HouseAnswer)
    }

    /// Message on the topic of commands.
    private struct Arrival: Sendable {
        let token: [UInt8]
        let ticket: WriteTicket?
        /// Key of the copy that an earlier run left.
        let copy: String?
    }

    private struct State {
        /// Messages that were received and are not finished.
        var waiting: Int
        /// Commands that were put in line and are not finished.
        var inLine = 0
        var answersInLine = 0
        /// A write is waited for: until it is done, no other is.
        var isAwaited = false
        var budget = WaitBudget()
    }

    /// Commands in the order of their arrival, those of an earlier run first. For one reader.
    let line: AsyncStream<Work>
    private let entrance: AsyncStream<Work>.Continuation
    private let arrivals: AsyncStream<Arrival>
    private let arrived: AsyncStream<Arrival>.Continuation
    private let state: Mutex<State>
    private let register: CommandRegister
    private let receipts: ReceiptSigner
    private let poison: PoisonGuard
    private let now: @Sendable () -> BootInstant

    /// - Parameter earlier: commands that an earlier run left.
    init(
        _ register: CommandRegister, earlier: [CommandRows.Waiting], receipts: ReceiptSigner,
        poison: PoisonGuard, now: @escaping @Sendable () -> BootInstant = Clock.boot
    ) {
        (self.register, self.receipts, self.poison, self.now) = (register, receipts, poison, now)
        // `room` bounds both streams.
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        (line, entrance) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        state = Mutex(State(waiting: earlier.count))
        for command in earlier {
            arrived.yield(
                Arrival(token: command.token, ticket: nil, copy: StateChange.key(command.number)))
        }
    }

    // MARK: The broker's thread

    /// Takes a message. When this returns it is durable, refused, or late.
    func receive(_ message: [UInt8]) {
        guard takeRoom() else {
            let refusal = CommandRefusal(.busy, "\(Self.room) commands wait to be done: send it again later")
            return receipts.answer(message, from: nil, .refused(refusal))
        }
        let start = now()
        let limit = state.withLock { state -> Duration? in
            guard !state.isAwaited, let left = state.budget.remaining(at: start) else { return nil }
            state.isAwaited = true
            return left
        }
        guard let limit else {
            arrived.yield(Arrival(token: message, ticket: nil, copy: nil))
            return
        }
        let ticket = WriteTicket { [self] in state.withLock { $0.isAwaited = false } }
        arrived.yield(Arrival(token: message, ticket: ticket, copy: nil))
        ticket.wait(limit)
        state.withLock { $0.budget.recordWait(from: start, to: now()) }
    }

    private func takeRoom() -> Bool {
        state.withLock { state in
            guard state.waiting < Self.room else { return false }
            state.waiting += 1
            return true
        }
    }

    // MARK: The task of the inbox

    /// Verifies what arrives, until `stop`.
    package func run() async {
        for await arrival in arrivals { await handle(arrival) }
    }

    /// Call it when no message can arrive any more.
    package func stop() {
        arrived.finish()
    }

    private func handle(_ arrival: Arrival) async {
        guard !poison.isSetAside(.verification, arrival.token) else {
            let refusal = CommandRefusal(.interrupted, "the gateway ended while it handled it: it is set aside")
            return refuse(arrival, from: nil, refusal)
        }
        switch poison.handle(.verification, arrival.token, { register.judge(arrival.token) }) {
        case .refused(let refusal, let name): refuse(arrival, from: name, refusal)
        case .repeated(let command, _):
            arrival.ticket?.settle()
            await putInLine(command, arrival, isRepeated: true)
        case .fresh(let command): await putInLine(command, arrival, isRepeated: false)
        }
    }

    private func refuse(_ arrival: Arrival, from name: CommandName?, _ refusal: CommandRefusal) {
        receipts.answer(arrival.token, from: name, .refused(refusal))
        arrival.ticket?.settle()
        if let copy = arrival.copy { register.put([.remove(.waitingCommand, key: copy)]) }
        state.withLock { $0.waiting -= 1 }
    }

    /// A command that is next is written with its effect; one that has to wait gets a copy at once.
    private func putInLine(_ command: VerifiedCommand, _ arrival: Arrival, isRepeated: Bool) async {
        let isNext = state.withLock { state in
            defer { state.inLine += 1 }
            return state.inLine == 0
        }
        let copy = arrival.copy ?? register.nextCopy()
        let needsCopy = arrival.copy == nil && !isRepeated
        let isWritten = needsCopy && !isNext
        if isWritten { write(copy, arrival) }
        let item = { (onFinish: @escaping @Sendable (Bool) -> Void) in
            Item(
                token: arrival.token, command: command, isRepeated: isRepeated, copy: copy,
                hasCopy: isWritten || arrival.copy != nil, ticket: arrival.ticket, onFinish: onFinish)
        }
        var isInLine: Bool? = true
        if case .rotateKey = command.command {
            // The next message may be signed with the new key.
            isInLine = await withTimeout(Self.rotationLimit) { done in
                if case .terminated = entrance.yield(.command(item(done))) { done(false) }
            }
        } else if case .terminated = entrance.yield(.command(item { _ in })) {
            isInLine = false
        }
        // Commands are no longer carried out: it is for the next run.
        if isInLine == false, needsCopy, !isWritten { write(copy, arrival) }
    }

    private func write(_ copy: String, _ arrival: Arrival) {
        register.write([.put(.waitingCommand, StateRow(key: copy, content: arrival.token))]) { _ in
            arrival.ticket?.settle()
        }
    }

    // MARK: The house

    /// Maximum number of waiting answers: more than persons give at once.
    private static let answerRoom = 16

    /// Puts an answer of the house in line behind the commands that came before it. From any thread.
    ///
    /// - Returns: whether it will be replied to.
    func putInLine(_ answer: HouseAnswer) -> Bool {
        let hasRoom = state.withLock { state in
            guard state.answersInLine < Self.answerRoom else { return false }
            state.answersInLine += 1
            return true
        }
        guard hasRoom else { return false }
        if case .terminated = entrance.yield(.answer(answer)) { return false }
        return true
    }

    // MARK: The service

    /// Counts an answer that was replied to.
    func finishAnswer() {
        state.withLock { $0.answersInLine -= 1 }
    }

    /// Removes a command that is done, with any outcome.
    func finish(_ item: Item) {
        state.withLock { state in
            state.waiting -= 1
            state.inLine -= 1
        }
        item.ticket?.settle()
        item.onFinish(true)
    }

    /// Ends `line` after the commands that are in it; commands that come later are kept for the next run.
    func close() {
        entrance.finish()
    }
}
