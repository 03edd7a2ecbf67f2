import GatewayModel
import WireFormats

/// What a measurement that its device has dated is known by: the same each time the device gives it, over connections
/// and restarts, and another for any other. Pure.
///
/// Made of the device's own words alone. What they are read as, by the offset of its clock and the zone of the house,
/// may be another thing the next time.
struct RecordMark: Sendable {
    private let words: String
    /// Seconds since 1970 by the device's clock, as if that showed UTC.
    private let shown: Int64

    /// Nil for what cannot be told from another that is like it: what has no time, or one that cannot be meant. A
    /// scale whose clock begins anew with each use shows the same time, and often the same weight. A number of its own
    /// makes up for a clock that was never set, for none it does not.
    ///
    /// - Parameter bytes: that it came as; not needed where the device numbers its records.
    init?(
        of measured: ReadingMapper, _ bytes: [UInt8], from wearable: Wearable,
        _ characteristic: BluetoothUUID
    ) {
        let shown: Int64
        switch measured.stamp {
        case .local(let seconds), .utc(let seconds): shown = seconds
        case .unset, nil: return nil
        }
        let earliest = measured.number == nil ? Dating.earliest.millisecondsSince1970 / 1_000 : 0
        guard shown >= earliest else { return nil }
        self.shown = shown
        let distinction =
            measured.number.map { "\($0)" } ?? bytes.map { String($0, radix: 16) }.joined(separator: "-")
        words = "\(wearable.address) \(characteristic) \(distinction) \(shown) \(Self.values(of: measured))"
    }

    private static func values(of measured: ReadingMapper) -> String {
        guard case .values(let quantities, _) = measured.content else { return "" }
        return quantities.map { "\($0.kind.rawValue)=\($0.value.bitPattern)" }.joined(separator: " ")
    }

    /// Tells one from another in a list of many. Whose it was is not in it: a record does not become somebody
    /// else's with the device.
    var hash: UInt64 {
        var numbers = DerivedNumbers(of: words)
        return numbers.next()
    }

    /// Of one of its values. Two persons, and two gateways, never share one.
    /// - Parameter index: of the value in the measurement.
    func id(of quantity: Quantity, _ index: Int, for wearable: Wearable, at gateway: GatewayID) -> MessageID {
        let owner = "\(gateway) \(wearable.person) \(wearable.id)"
        var numbers = DerivedNumbers(of: "\(owner) \(words) \(index) \(quantity.kind.rawValue)")
        return MessageID(wall: WallTime(millisecondsSince1970: shown * 1_000), using: &numbers)
    }
}
