package import GatewayModel
package import Settings
import Synchronization
package import Vault

/// Kinds of reading and events that a wearable has shown.
package struct WearableAbilities: Codable, Hashable, Sendable {
    /// Event of any button; a broadcaster tells short, double and long presses apart.
    package static let press = "button"

    /// Kinds that its characteristics measure. Sorted, so that equal abilities have equal rows.
    package let kinds: [QuantityKind]
    /// Those of `kinds` that come as a stream.
    package let streams: [QuantityKind]
    /// Names of events, as the keys of `[wearable.signals]` have them; the presses under one name.
    package let events: [String]

    package init(
        kinds: some Sequence<QuantityKind> = [], streams: some Sequence<QuantityKind> = [],
        events: some Sequence<String>
    ) {
        self.kinds = Set(kinds).sorted { $0.rawValue < $1.rawValue }
        self.streams = Set(streams).sorted { $0.rawValue < $1.rawValue }
        self.events = Set(events).sorted()
    }

    package func shows(event key: String) -> Bool {
        events.contains(["double_press", "long_press"].contains(key) ? Self.press : key)
    }

    func joined(with other: WearableAbilities) -> WearableAbilities {
        WearableAbilities(
            kinds: kinds + other.kinds, streams: streams + other.streams, events: events + other.events)
    }
}

/// Abilities of the wearables, as seen on their connections and in their adverts. They outlive a restart. From any thread.
package final class WearableAbilityStore: Sendable {
    private struct Row: Codable, Hashable {
        /// Address of the device: another device may get the same ID.
        let address: String
        let abilities: WearableAbilities
    }

    private struct State {
        var addresses: [DeviceID: DeviceAddress]
        var rows: [DeviceID: Row]
    }

    private let state: Mutex<State>
    private let put: @Sendable ([StateChange]) -> Void

    /// - Parameters:
    ///   - rows: those of the earlier runs. Rows of other devices are removed from the disk.
    ///   - put: writes changes to `state.sqlite`.
    package init(
        _ rows: [StateRow], of wearables: [GatewaySettings.Wearable],
        put: @escaping @Sendable ([StateChange]) -> Void
    ) {
        self.put = put
        state = Mutex(State(addresses: Self.addresses(wearables), rows: Self.known(rows, wearables)))
        let ids = Set(wearables.map(\.id.text))
        put(rows.filter { !ids.contains($0.key) }.map { .remove(.wearableAbility, key: $0.key) })
    }

    /// Returns the abilities that a gateway has stored, for a command beside it; empty where they cannot be read.
    /// Blocking I/O.
    package static func stored(
        in stateDirectory: String, of wearables: [GatewaySettings.Wearable]
    ) -> [DeviceID: WearableAbilities] {
        // A database of an earlier version has no such table.
        let found = try? StateReader(in: stateDirectory).rows(of: .wearableAbility)
        return known(found?.rows ?? [], wearables).mapValues(\.abilities)
    }

    package var abilities: [DeviceID: WearableAbilities] { state.withLock { $0.rows.mapValues(\.abilities) } }

    /// Records the services of a connection; events that were seen before stay known.
    package func recordConnection(of device: DeviceID, with abilities: WearableAbilities) {
        change(device) { old in
            WearableAbilities(
                kinds: abilities.kinds, streams: abilities.streams,
                events: abilities.events + (old?.events ?? []))
        }
    }

    /// Records an event of a broadcaster.
    package func recordEvent(_ event: String, of device: DeviceID) {
        change(device) { old in
            let new = WearableAbilities(events: [event])
            return old?.joined(with: new) ?? new
        }
    }

    /// Follows changed wearables: abilities of a device that is gone are forgotten.
    package func replace(_ wearables: [GatewaySettings.Wearable]) {
        let gone = state.withLock { state in
            state.addresses = Self.addresses(wearables)
            let gone = state.rows.filter { state.addresses[$0]?.description != $1.address }.keys
            for id in gone { state.rows[id] = nil }
            return Array(gone)
        }
        put(gone.map { .remove(.wearableAbility, key: $0.text) })
    }

    private func change(_ device: DeviceID, _ body: (WearableAbilities?) -> WearableAbilities) {
        let row: Row? = state.withLock { state in
            guard let address = state.addresses[device] else { return nil }
            let old = state.rows[device]
            let row = Row(address: address.description, abilities: body(old?.abilities))
            state.rows[device] = row
            return row == old ? nil : row
        }
        if let row { put([.put(.wearableAbility, device.text, row)]) }
    }

    private static func addresses(_ wearables: [GatewaySettings.Wearable]) -> [DeviceID: DeviceAddress] {
        Dictionary(wearables.map { ($0.id, $0.address) }) { first, _ in first }
    }

    private static func known(
        _ rows: [StateRow], _ wearables: [GatewaySettings.Wearable]
    ) -> [DeviceID: Row] {
        let byKey = Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
        let known = wearables.compactMap { wearable -> (DeviceID, Row)? in
            guard let row = byKey[wearable.id.text]?.decoded(as: Row.self),
                row.address == wearable.address.description
            else { return nil }
            return (wearable.id, row)
        }
        return Dictionary(known) { first, _ in first }
    }
}
