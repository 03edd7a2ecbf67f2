import TestSupport
import Testing

/// The real daemon between real parts: Debian's Mosquitto and gpsd, and bluetoothd's interface on a
/// private bus. What it does is seen from outside: at the broker, on its feed, in the room, in its exit code.
///
/// One house at a time: each of these starts half a dozen processes.
@Suite(.serialized, .enabled(if: MosquittoProcess.isInstalled && GPSDProcess.isInstalled))
enum Integration {}
