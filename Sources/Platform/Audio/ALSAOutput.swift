import CALSA
import GatewayModel
import Glibc

/// A sound card through libasound, by the name of its PCM: `default`, `plughw:1,0`. Used on one thread.
public final class ALSAOutput: SoundOutput {
    private let device: String
    private var pcm: OpaquePointer?
    private var rate = 0
    private var channels = 1

    /// Buffer of the card ahead of the loudspeaker. The player keeps no more than its lead in it, so that a
    /// write never has to wait for room while the card plays.
    private static let latency = Duration.milliseconds(500)
    /// A card that has made no room for so long does not play.
    private static let patience = Duration.seconds(2)
    /// The voice's own rate first, then those that every card has.
    private static let rates: [UInt32] = [22_050, 44_100, 48_000]

    public init(device: String) {
        self.device = device
        calsa_silence_standard_error()
    }

    deinit { close() }

    public func open() throws(DeviceFailure) -> Int {
        guard pcm == nil else { return rate }
        // Without waiting: a card that another program holds says so at once.
        let result = snd_pcm_open(&pcm, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
        guard result == 0, let pcm else {
            pcm = nil
            throw failure("opening", result)
        }
        guard choose(for: pcm), startEarly(pcm) else {
            close()
            throw DeviceFailure(
                "the sound device '\(device)' takes none of 22050, 44100 and 48000 samples of 16 bits a second "
                    + "in one or two channels; try plug:\(device)")
        }
        return rate
    }

    private func choose(for pcm: OpaquePointer) -> Bool {
        for channels in 1...2 {
            for rate in Self.rates {
                let result = snd_pcm_set_params(
                    pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, UInt32(channels), rate,
                    1, UInt32(Self.latency.wholeNanoseconds / 1_000))
                if result == 0 {
                    (self.rate, self.channels) = (Int(rate), channels)
                    return true
                }
            }
        }
        return false
    }

    /// snd_pcm_set_params lets the card start when its buffer is full, half a second of sound later.
    private func startEarly(_ pcm: OpaquePointer) -> Bool {
        var parameters: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&parameters) == 0 else { return false }
        defer { snd_pcm_sw_params_free(parameters) }
        let frames = snd_pcm_uframes_t(rate / 50)
        return snd_pcm_sw_params_current(pcm, parameters) == 0
            && snd_pcm_sw_params_set_start_threshold(pcm, parameters, frames) == 0
            && snd_pcm_sw_params(pcm, parameters) == 0
    }

    public func begin(_ label: String) {}

    public func write(_ samples: ArraySlice<Int16>) throws(DeviceFailure) {
        guard let pcm else { throw DeviceFailure("the sound device '\(device)' is not open") }
        var rest = interleaved(samples)[...]
        while !rest.isEmpty {
            let frames = snd_pcm_uframes_t(rest.count / channels)
            let written = rest.withUnsafeBytes { snd_pcm_writei(pcm, $0.baseAddress, frames) }
            if written > 0 {
                rest = rest.dropFirst(Int(written) * channels)
            } else {
                try makeRoom(in: pcm, after: Int32(clamping: written))
            }
        }
    }

    private func interleaved(_ samples: ArraySlice<Int16>) -> [Int16] {
        channels == 1 ? Array(samples) : samples.flatMap { [$0, $0] }
    }

    private func makeRoom(in pcm: OpaquePointer, after result: Int32) throws(DeviceFailure) {
        if result == 0 || result == -EAGAIN {
            let ready = snd_pcm_wait(pcm, Int32(Self.patience.wholeMilliseconds))
            if ready > 0 { return }
            if ready == 0 {
                close()
                throw DeviceFailure(
                    "the sound device '\(device)' has taken nothing for \(Self.patience); "
                        + "check the card and its cable")
            }
            return try recover(pcm, from: ready)
        }
        try recover(pcm, from: result)
    }

    /// A pause between two pieces runs the card dry (EPIPE), and the machine may have slept (ESTRPIPE): both are
    /// made good. On any other error the card is gone.
    private func recover(_ pcm: OpaquePointer, from result: Int32) throws(DeviceFailure) {
        guard snd_pcm_recover(pcm, result, 1) != 0 else { return }
        close()
        throw failure("playing on", result)
    }

    /// A sound that was broken off is thrown away; a whole one plays on while the next is waited for.
    public func end(isWhole: Bool) throws(DeviceFailure) {
        guard let pcm, !isWhole else { return }
        snd_pcm_drop(pcm)
        let result = snd_pcm_prepare(pcm)
        guard result != 0 else { return }
        close()
        throw failure("playing on", result)
    }

    public func close() {
        guard let pcm else { return }
        self.pcm = nil
        snd_pcm_close(pcm)
    }

    private func failure(_ doing: String, _ result: Int32) -> DeviceFailure {
        let advice =
            switch -result {
            case EBUSY: "another program holds it: let it end, or use a device that several share (default)"
            case EACCES, EPERM: "let the gateway's account use it: add it to the group audio"
            case ENOENT, ENODEV, ENXIO: "is it plugged in? aplay -L lists what there is"
            default: "aplay -L lists what there is"
            }
        return DeviceFailure(
            "\(doing) the sound device '\(device)': \(String(cString: snd_strerror(result))); \(advice)")
    }
}
