public import GatewayModel

/// Life signs of an SOS button or a broadcaster, and the state of its press test: the row that outlives a restart.
public struct SOSButtonRecord: Hashable, Sendable, Codable {
    public let device: DeviceID
    /// A record counts for the device of this address alone.
    public let address: DeviceAddress
    /// Time since which it is supervised; nil while the clock was not set.
    public var since: WallTime?
    /// Last message or connection.
    public var heard: WallTime?
    /// Last press that called for help.
    public var pressed: WallTime?
    /// Percent; nil where it never said.
    public var battery: Int?
    /// Beginning of the test that waits for a press; nil outside a test.
    public var asked: WallTime?
    /// Last request for a press.
    public var reminded: WallTime?

    public init(
        device: DeviceID, address: DeviceAddress, since: WallTime? = nil, heard: WallTime? = nil,
        pressed: WallTime? = nil, battery: Int? = nil, asked: WallTime? = nil, reminded: WallTime? = nil
    ) {
        (self.device, self.address, self.since) = (device, address, since)
        (self.heard, self.pressed, self.battery) = (heard, pressed, battery)
        (self.asked, self.reminded) = (asked, reminded)
    }
}

/// The row of a button in `state.sqlite`, by its ID. Times are milliseconds since 1970.
extension SOSButtonRecord {
    private enum CodingKeys: CodingKey { case device, address, since, heard, pressed, battery, asked, reminded }

    /// Errors: `DecodingError` for an ID or an address of another form.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) throws -> WallTime? {
            // Times beyond the year 9999 would overflow in a sum.
            try fields.decodeIfPresent(Int64.self, forKey: key).flatMap {
                (0..<253_402_300_800_000).contains($0) ? WallTime(millisecondsSince1970: $0) : nil
            }
        }
        guard let device = DeviceID(try fields.decode(String.self, forKey: .device)),
            let address = DeviceAddress(try fields.decode(String.self, forKey: .address))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .device, in: fields, debugDescription: "expected the ID and the address of a device")
        }
        self.init(
            device: device, address: address, since: try time(.since), heard: try time(.heard),
            pressed: try time(.pressed), battery: try fields.decodeIfPresent(Int.self, forKey: .battery),
            asked: try time(.asked), reminded: try time(.reminded))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(device.text, forKey: .device)
        try fields.encode(address.description, forKey: .address)
        try fields.encodeIfPresent(since?.millisecondsSince1970, forKey: .since)
        try fields.encodeIfPresent(heard?.millisecondsSince1970, forKey: .heard)
        try fields.encodeIfPresent(pressed?.millisecondsSince1970, forKey: .pressed)
        try fields.encodeIfPresent(battery, forKey: .battery)
        try fields.encodeIfPresent(asked?.millisecondsSince1970, forKey: .asked)
        try fields.encodeIfPresent(reminded?.millisecondsSince1970, forKey: .reminded)
    }

    public var change: StateChange { .put(.sosButton, device.text, self) }
}
