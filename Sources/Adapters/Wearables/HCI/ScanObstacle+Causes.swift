import GatewayModel
import Glibc
import RealTime

extension ScanObstacle {
    static func socket(_ error: SystemCallError) -> ScanObstacle {
        switch error.number {
        case EPERM, EACCES:
            ScanObstacle(
                kind: .noPermission, reason: "the kernel does not let this process hear the radio: \(error)",
                remedy: "Grant CAP_NET_RAW: AmbientCapabilities=CAP_NET_RAW in the unit")
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            ScanObstacle(
                kind: .noBluetooth, reason: "there are no Bluetooth sockets here: \(error)",
                remedy:
                    "Load the module (modprobe bluetooth), and allow AF_BLUETOOTH in RestrictAddressFamilies=")
        default:
            ScanObstacle(
                kind: .refused, reason: "the Bluetooth socket cannot be used: \(error)",
                remedy: "See: dmesg; it is tried again")
        }
    }

    static func list(_ failure: LocalAdapters.Failure) -> ScanObstacle {
        let kind: Kind = failure == .noBluetoothInKernel ? .noBluetooth : .refused
        return ScanObstacle(
            kind: kind, reason: failure.description, remedy: "See: hciconfig -a; it is tried again")
    }

    static func noAdapter(wanted: String?, present: [LocalAdapter]) -> ScanObstacle {
        let names = present.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
        let seen = present.isEmpty ? "the kernel has no Bluetooth adapter" : "the kernel has \(names)"
        let missing = wanted.map { ", not \($0) as the settings ask" } ?? ""
        return ScanObstacle(
            kind: .noAdapter, reason: seen + missing, remedy: "Plug one in, or name one that is there")
    }

    static func down(_ adapter: String) -> ScanObstacle {
        ScanObstacle(
            kind: .adapterDown, reason: "\(adapter) is switched off",
            remedy: "Switch it on: rfkill unblock bluetooth; bluetoothctl power on")
    }

    static func refused(_ command: ScanCommand, status: UInt8) -> ScanObstacle {
        ScanObstacle(
            kind: .refused,
            reason: "the controller answers \(command.name) with error 0x\(String(status, radix: 16))",
            remedy: "Use another adapter if it stays so; it is tried again")
    }

    static func unanswered(_ command: ScanCommand) -> ScanObstacle {
        ScanObstacle(
            kind: .refused, reason: "the controller does not answer \(command.name)",
            remedy: "Unplug the adapter and plug it in again if it stays so; it is tried again")
    }
}
