import GatewayModel
import Glibc
import RealTime
import Synchronization
import Systemd
import Wearables

/// The gateway's reader alone, for the bluetooth benchmark: the radio as the daemon runs it, its readings counted.
///
///     BluetoothBench BUS ADDRESS...
@main struct Reader {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let bus = words.first, words.count > 1 else {
            print("BluetoothBench BUS ADDRESS...")
            return
        }
        let wearables = words.dropFirst().enumerated().compactMap { number, text in
            DeviceAddress(text).map {
                Wearable(
                    id: DeviceID("strap\(number)")!, address: $0, person: PersonID("anna")!, alarmAlert: .high)
            }
        }
        let tally = Tally()
        let radio = try WearableRadio(
            bus: .address(bus), adapter: nil, wearables: wearables, inbox: RadioInbox(),
            gateway: GatewayID("bench")!
        ) { tally.take($0) }
        // Whoever measures ends it by closing its input.
        let input = try NamedThread("input") {
            var byte: UInt8 = 0
            while read(0, &byte, 1) > 0 {}
            radio.stop()
        }
        try await radio.run()
        await input.finished()
        print(tally.count)
    }
}

final class Tally: Sendable {
    private let readings = Atomic(0)

    var count: Int { readings.load(ordering: .relaxed) }

    func take(_ event: WearableEvent) {
        if case .reading = event { readings.add(1, ordering: .relaxed) }
    }
}
