package import GatewayModel

/// Walk through the rooms with one wearable, to see where the gateway hears it. Kept in memory alone.
package struct WalkDocument: FieldDocument, Hashable {
    package static var field: ControlFields.Name { "walk" }

    package enum Verdict: String, Codable, Sendable {
        /// Too short to judge.
        case open
        case good
        case weak
        /// Readings are lost here.
        case bad
    }

    package struct Room: Codable, Hashable, Sendable {
        package let name: String
        /// Time in the room.
        package let spentMs: Int64
        /// Messages that were heard.
        package let heard: Int
        /// In dBm; nil where only connections are heard: bluetoothd has no signal strength of a link.
        package let medianDbm, worstDbm: Int?
        /// Longest time without a message.
        package let longestGapMs: Int64
        package let verdict: Verdict

        package init(
            name: String, spent: Duration, heard: Int, median: Int?, worst: Int?, longestGap: Duration,
            verdict: Verdict
        ) {
            (self.name, self.heard, medianDbm, worstDbm) = (name, heard, median, worst)
            (spentMs, longestGapMs) = (spent.wholeMilliseconds, longestGap.wholeMilliseconds)
            self.verdict = verdict
        }
    }

    package let device: String
    package let isRunning: Bool
    /// Room of the person who walks; nil before the first and after the end.
    package let room: String?
    /// Time until the walk ends by itself.
    package let leftMs: Int64?
    package let rooms: [Room]

    package init(device: DeviceID, room: String?, left: Duration?, rooms: [Room]) {
        (self.device, self.room, self.rooms) = (device.text, room, rooms)
        (isRunning, leftMs) = (left != nil, left.map { max($0, .zero).wholeMilliseconds })
    }
}
