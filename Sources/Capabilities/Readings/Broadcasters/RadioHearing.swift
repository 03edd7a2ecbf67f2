package import GatewayModel
package import Hub
import Synchronization
package import Wearables

/// Condition `radio-deaf`: the scanners run, and none of them has heard an advert of any device for half a minute.
///
/// It is raised only where a wearable is heard by advertising, and the silence is a fault: a wearable of the house
/// advertises at intervals, or many adverts were heard before in this run. It ends with the first advert. From any thread.
package final class RadioHearing: Sendable {
    /// Reasons for which adverts are expected on the air.
    package struct Expectation: Sendable {
        /// Some wearable is heard by advertising.
        package let isListening: Bool
        /// One of them advertises at intervals.
        package let isRegular: Bool

        package init(isListening: Bool, isRegular: Bool) {
            (self.isListening, self.isRegular) = (isListening, isRegular)
        }

        package init(_ expected: [DeviceID: ExpectedBroadcaster]) {
            isListening = !expected.isEmpty
            isRegular = expected.values.contains { $0.sendsRegularly || $0.silence != nil }
        }
    }

    private enum Radio: Hashable {
        case hearing
        /// Another condition tells of a scanner that does not run.
        case unable
        case silent(hasHeard: Bool)
    }

    private let radios: Mutex<[Radio]>
    private let expectation: @Sendable () -> Expectation
    private let health: HealthBoard

    /// - Parameters:
    ///   - scanners: number of radios that listen.
    ///   - expectation: returns the present expectation; must return at once.
    package init(scanners: Int, health: HealthBoard, expectation: @escaping @Sendable () -> Expectation) {
        radios = Mutex([Radio](repeating: .hearing, count: scanners))
        (self.health, self.expectation) = (health, expectation)
    }

    /// - Parameter number: index of the radio, from 0 on.
    package func note(_ event: HCIScanEvent, of number: Int) {
        switch event {
        case .silent(_, let hasHeard): set(.silent(hasHeard: hasHeard), number)
        case .heardAgain: set(.hearing, number)
        case .unavailable: set(.unable, number)
        case .scanning, .listening: recover(number)
        case .lost, .malformed: break
        }
    }

    /// Records that no scanner could be made for a radio.
    package func fail(_ number: Int) { set(.unable, number) }

    /// Forgets the silence of scanners that did not run: it says nothing about those that begin now.
    package func restart() {
        change { radios in
            for index in radios.indices {
                if case .silent = radios[index] { radios[index] = .hearing }
            }
        }
    }

    /// Judges the silence again after the wearables have changed.
    package func settle() { change { _ in } }

    /// A scan that runs says nothing about a radio that is silent: only an advert does.
    private func recover(_ number: Int) {
        change { if $0[number] == .unable { $0[number] = .hearing } }
    }

    private func set(_ radio: Radio, _ number: Int) { change { $0[number] = radio } }

    /// Within the lock, so that two changes keep their order.
    private func change(_ body: (inout [Radio]) -> Void) {
        let expectation = expectation()
        radios.withLock { radios in
            body(&radios)
            let silent = radios.filter { if case .silent = $0 { true } else { false } }
            let isExpecting = expectation.isRegular || silent.contains(.silent(hasHeard: true))
            let isDeaf = expectation.isListening && !silent.isEmpty && !radios.contains(.hearing) && isExpecting
            health.set(HealthCondition(.radioDeaf), isDeaf)
        }
    }
}
