package import WireFormats

/// Part of the gateway that receives the adverts of tags. Each call comes on a scanner's thread, and must return at once.
package protocol TagAdvertConsumer: Sendable {
    /// - Parameter antenna: number of the radio that received them.
    func consume(_ adverts: [Advert], antenna: UInt8)
    /// The scanner of a radio works, or does not.
    func setScanner(_ antenna: UInt8, canHear: Bool)
}
