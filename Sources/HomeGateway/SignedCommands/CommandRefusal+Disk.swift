import CloudCommands

extension CommandRefusal {
    /// The disk did not answer in time, or not as it should: what was on its way to it may get there yet, and is done
    /// then, at the latest by the next run.
    static let notKept = CommandRefusal(
        .notKept, "the disk does not take it; it may still be done: look before you ask anew")
}
