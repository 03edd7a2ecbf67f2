/// Where sound goes. Used on one thread, which may be held up by it and no other.
public protocol SoundOutput: AnyObject {
    /// Makes ready to play, if it is not.
    /// - Returns: samples per second that it takes.
    func open() throws(DeviceFailure) -> Int

    /// A new burst or speech begins.
    /// - Parameter label: for a file name; names no person.
    func begin(_ label: String)

    /// Takes samples at the rate that `open` told; has accepted them when it returns. A failure leaves it
    /// closed.
    func write(_ samples: ArraySlice<Int16>) throws(DeviceFailure)

    /// The burst or speech is over. `isWhole`: false where it was broken off, and the samples that are not out
    /// yet are not to come any more.
    func end(isWhole: Bool) throws(DeviceFailure)

    func close()
}
