// Remedies that several messages use, each a line that the user can copy.
#pragma once

namespace warpspy::remedies {

inline constexpr const char* admin_only =
    "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf && "
    "sudo update-initramfs -u && sudo reboot (or, without a reboot, run as root: sudo -E warpspy)";
inline constexpr const char* container =
    "start the container with the capability: docker run --gpus all --cap-add=SYS_ADMIN IMAGE";
inline constexpr const char* wsl =
    "on Windows: install NVIDIA driver 525 or later, then NVIDIA Control Panel > Desktop > Enable Developer Settings > "
    "Manage GPU Performance Counters > Allow access to all users; then wsl --shutdown";
inline constexpr const char* mig = "sudo nvidia-smi -mig 0 (ends all MIG instances of the device)";
inline constexpr const char* vgpu =
    "on the hypervisor: set enable_profiling=1 in the virtual GPU's plugin parameters (vSphere: "
    "pciPassthru0.cfg.enable_profiling=1) and start the guest again";
inline constexpr const char* confidential =
    "nvidia-smi conf-compute -srs 0, with the device in a mode without protection";
inline constexpr const char* other_profiler =
    "end the other profiler (nvidia-smi lists the programs on the device; ncu, nsys and DCGM hold counters; for DCGM: "
    "dcgmi profile --pause)";
inline constexpr const char* cupti_missing =
    "sudo apt install cuda-cupti-12-6 (or that of your CUDA version), or name the folder of libcupti.so in "
    "LD_LIBRARY_PATH";

}  // namespace warpspy::remedies
