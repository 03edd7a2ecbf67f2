public import GatewayModel

/// A passing as the box keeps it: the told passing, and its instant by `CLOCK_BOOTTIME`.
public struct RecordedPassing: Hashable, Sendable {
    public let passing: Passing
    /// The start of the machine that the instants belong to.
    public let boot: String
    public let nearest, first, last: BootInstant
    /// How sure the time is apart from the clock: `Passage.bound`.
    public let passageBound: Duration

    /// - Parameter passage: the passage that the passing was made from.
    public init(_ passing: Passing, from passage: Passage, boot: String) {
        self.init(
            passing, boot: boot, nearest: passage.nearest, first: passage.first, last: passage.last,
            passageBound: passage.bound)
    }

    public init(
        _ passing: Passing, boot: String, nearest: BootInstant, first: BootInstant, last: BootInstant,
        passageBound: Duration
    ) {
        (self.passing, self.boot, self.passageBound) = (passing, boot, passageBound)
        (self.nearest, self.first, self.last) = (nearest, first, last)
    }

    /// The same dated anew by the box's later knowledge of its clock, where it was timed before the clock was
    /// set.
    ///
    /// The mark by which the time is surest decides; it has to be of the same start of the machine. Order and flags
    /// stay as they were told.
    ///
    /// - Parameter marks: by the start they are of.
    /// - Returns: the told passing, where the clock was set then, or never was.
    public func dated(by marks: [String: [ClockMark]]) -> Passing {
        guard passing.clock.bound == nil else { return passing }
        let known = (marks[boot] ?? []).compactMap { mark in
            mark.time(of: nearest).bound.map { (mark: mark, bound: $0) }
        }
        guard let best = known.min(by: { ($0.bound, $0.mark.at) < ($1.bound, $1.mark.at) }) else {
            return passing
        }
        func time(_ instant: BootInstant) -> WallTime { best.mark.time(of: instant).time }
        return Passing(
            id: passing.id, run: passing.run, checkpoint: passing.checkpoint, gateway: passing.gateway,
            bib: passing.bib, order: passing.order, time: time(nearest), first: time(first), last: time(last),
            clock: ClockState(source: best.mark.source, bound: best.bound),
            bound: passageBound.combined(with: best.bound), hits: passing.hits, strongest: passing.strongest,
            method: passing.method, flags: passing.flags)
    }

    /// The same, with a new date of the told passing: see `dated(by:)`.
    public func redated(by marks: [String: [ClockMark]]) -> RecordedPassing {
        RecordedPassing(
            dated(by: marks), boot: boot, nearest: nearest, first: first, last: last, passageBound: passageBound
        )
    }
}

extension Duration {
    /// Of two errors that have nothing to do with each other: where both hold in 95 of 100 cases, so does this.
    func combined(with other: Duration) -> Duration {
        let (one, other) = (Double(wholeNanoseconds), Double(other.wholeNanoseconds))
        return .nanoseconds(Int64((one * one + other * other).squareRoot().rounded(.up)))
    }
}
