/// The objects of one BTHome v2 frame, in order.
public struct BTHomeFrame: Hashable, Sendable {
    /// Why the objects end before the bytes do.
    public enum Stop: Error, Hashable, Sendable {
        /// An id that is not in the table. Objects carry no length, so nothing after it can be read.
        case unknownObject(id: UInt8)
        case truncatedObject(id: UInt8)
    }

    public struct Button: Hashable, Sendable {
        /// 1 for the first button object of the frame.
        public let position: Int
        public let press: ButtonPress
    }

    public private(set) var objects: [BTHomeObject] = []
    public private(set) var stop: Stop?

    public init(_ bytes: Span<UInt8>) {
        var position = 0
        do throws(Stop) {
            while position < bytes.count {
                objects.append(try BTHomeObject(in: bytes, at: &position))
            }
        } catch {
            stop = error
        }
    }

    public var packetID: UInt8? {
        objects.lazy.compactMap { if case .packetID(let id) = $0 { id } else { nil } }.first
    }

    /// The buttons that were used. A device with several sends an object for each, in order, and `.none` for
    /// those that were not.
    public var buttons: [Button] {
        let presses = objects.compactMap { if case .button(let press) = $0 { press } else { nil } }
        return presses.enumerated().compactMap { index, press in
            press == .none ? nil : Button(position: index + 1, press: press)
        }
    }
}
